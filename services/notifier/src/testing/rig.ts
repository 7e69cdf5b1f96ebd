import { EndpointsHealthReplySchema, type Envelope, formatDateTime, present } from '@assay/contracts';
import { ApiError, createInternalClient, type InternalClient, listen, wrapFor } from '@assay/http';
import { newId } from '@assay/runtime';
import { newDataKey, sealingContext, sealJson } from '@assay/sealing';
import { quietLog, testKeys } from '@assay/testing';
import { openBackends } from '@assay/testing/backends';
import { type Static, Type } from 'typebox';
import type { Send } from '../clients/sms.ts';
import { createNotifier } from '../service.ts';

const AnyObject = Type.Record(Type.String(), Type.Unknown());
const ItemSchema = Type.Object({
  deliveryId: Type.String(),
  webhookId: Type.String(),
  identityId: Type.String(),
  event: Type.String(),
  state: Type.String(),
  test: Type.Optional(Type.Boolean()),
  attempts: Type.Array(
    Type.Object({
      at: Type.String(),
      statusCode: Type.Optional(Type.Integer()),
      error: Type.Optional(Type.String()),
      bodySha256: Type.Optional(Type.String()),
    }),
  ),
});
const ItemPage = Type.Object({ items: Type.Array(ItemSchema), cursor: Type.Optional(Type.String()) });

export interface RigOptions {
  allowPrivateTargets?: string[];
  senders?: { EMAIL?: Send; MOBILE?: Send };
  attemptTimeoutMs?: number;
  replicas?: number;
}

/**
 * Runs the notifier in this process, on the real MongoDB and broker: `replicas` processes on one
 * database.
 */
export const startRig = async (options: RigOptions = {}) => {
  const backends = await openBackends('notifier');
  const { rabbitmq, published } = backends;
  const mongodb = await backends.database('notifier');
  /** The notice keys that the gateway has, by identity. */
  const noticeKeys = new Map<string, Buffer>();
  const keyOf = (identityId: string): Buffer => {
    const key = noticeKeys.get(identityId) ?? newDataKey();
    noticeKeys.set(identityId, key);
    return key;
  };
  /** Codes that cannot be confirmed any more. */
  const withdrawnCodes = new Set<string>();
  const gateway = {
    getJson: async (path: string, { identityId }: { identityId: string }) => {
      const key = noticeKeys.get(identityId);
      if (!key || withdrawnCodes.has(path.split('?codeId=')[1] ?? '')) throw new ApiError('CLOSED');
      return { wrapped: wrapFor(testKeys('gateway'), 'notifier', key, identityId), holdMs: 60_000 };
    },
  } as unknown as InternalClient;
  const masterKey = newDataKey();
  const start = async () => {
    const notifier = await createNotifier({
      mongodb,
      rabbitmq: backends.recording,
      gateway,
      keys: testKeys('notifier'),
      now: () => new Date(),
      log: quietLog,
      masterKey,
      allowPrivateTargets: options.allowPrivateTargets ?? ['127.0.0.0/8', '::1/128'],
      senders: options.senders ?? {},
      sweepEveryMs: 25,
      ...present({ attemptTimeoutMs: options.attemptTimeoutMs }),
    });
    await notifier.start();
    return notifier;
  };
  const notifiers = [await start()];
  for (let more = 1; more < (options.replicas ?? 1); more += 1) notifiers.push(await start());
  const [notifier] = notifiers;
  if (!notifier) throw new Error('none');
  const server = await listen(notifier.app, { port: 0 });
  const client = createInternalClient({
    baseUrl: `http://127.0.0.1:${server.port}`,
    keys: testKeys('gateway'),
    to: 'notifier',
    log: quietLog,
  });
  const claims = (tenantId: string) => ({ tenantId, identityId: 'suite', requestId: newId() });

  const sealBusinessId = (tenantId: string, identityId: string, businessId: string): string =>
    sealJson(keyOf(identityId), sealingContext(tenantId, identityId, 'business-id'), businessId);
  const publish = (type: string, tenantId: string, identityId: string, data: unknown, more = {}) => {
    const event = { id: newId(), type, at: new Date().toISOString(), tenantId, identityId, data, ...more };
    return rabbitmq.publish(event).then(() => event);
  };

  return {
    mongodb,
    published,
    publish,
    republish: (event: Envelope<unknown>) => rabbitmq.publish(event),
    /** Sets an endpoint and returns its health; null removes the endpoint and returns nothing. */
    setEndpoint: (tenantId: string, webhook: object | null, query = '', more = {}): Promise<unknown> =>
      client.putJson(`/internal/v1/endpoints/${tenantId}${query}`, { ...claims(tenantId), ...more }, webhook),
    endpoint: (tenantId: string) => client.getJson(`/internal/v1/endpoints/${tenantId}`, claims(tenantId), AnyObject),
    endpointsHealth: (tenantIds: string[]) =>
      client.postJson('/internal/v1/endpoints/health', claims('suite'), { tenantIds }, EndpointsHealthReplySchema),
    testEndpoint: (tenantId: string) =>
      client.postJson(`/internal/v1/endpoints/${tenantId}/test`, claims(tenantId), {}, AnyObject),
    deliveries: async (tenantId: string, query = '') =>
      client.getJson(`/internal/v1/deliveries?${query.replace(/^&/, '')}`, claims(tenantId), ItemPage),
    resend: (tenantId: string, deliveryId: string) =>
      client.postJson(`/internal/v1/deliveries/${deliveryId}/resend`, claims(tenantId), {}, ItemSchema),
    recover: (tenantId: string, range: object) =>
      client.postJson('/internal/v1/deliveries/recover', claims(tenantId), range, AnyObject),
    /** Publishes `evaluation.published` for a new identity and returns the event. */
    evaluation: (
      tenantId: string,
      identityId: string = newId(),
      { businessId, ...more }: { businessId?: string; [member: string]: unknown } = {},
    ) =>
      publish('evaluation.published', tenantId, identityId, {
        identityStatus: 'EXPECTING_INPUT',
        completedAt: '2026-01-02T03:04:05.678',
        evidence: { evidenceId: newId(), evidenceType: 'PASSPORT', evidenceOperation: 'CREATED' },
        ...(businessId === undefined ? {} : { sealedBusinessId: sealBusinessId(tenantId, identityId, businessId) }),
        ...more,
      }),
    sealBusinessId,
    /** Closes the identity: the gateway then has no key of its notices any more. */
    closeIdentity: async (tenantId: string, identityId: string) => {
      noticeKeys.delete(identityId);
      const at = '2026-01-02T03:04:05.678';
      await publish('identity.closed', tenantId, identityId, { reason: 'DELETED', closedAt: at, forgetAt: at });
    },
    /** Publishes `one-time-code.requested`, sealed as by the gateway. */
    code: (channel: 'EMAIL' | 'MOBILE', to: string, code: string, more = {}) => {
      const [tenantId, identityId] = [newId(), newId()];
      const data = {
        codeId: newId(),
        evidenceId: newId(),
        channel,
        expiresAt: '2099-01-01T00:00:00.000',
        sealedMessage: sealJson(keyOf(identityId), sealingContext(tenantId, identityId, 'message'), { to, code }),
        ...more,
      };
      return publish('one-time-code.requested', tenantId, identityId, data).then(() => data.codeId);
    },
    /** The contact of a code is deleted or gets another one. */
    withdrawCode: (codeId: string) => void withdrawnCodes.add(codeId),
    /**
     * Publishes `adjudication.waiting` for a case that was requested five hours ago, sealed as by
     * the gateway.
     */
    waiting: ({ to, tenantId = newId(), ...more }: { to?: string; tenantId?: string; [member: string]: unknown }) => {
      const identityId = newId();
      const context = sealingContext(tenantId, identityId, 'message');
      return publish('adjudication.waiting', tenantId, identityId, {
        caseId: newId(),
        evidenceId: newId(),
        type: 'PASSPORT',
        identityStatus: 'PROCESSING',
        requestedAt: formatDateTime(new Date(Date.now() - 5.1 * 3600_000)),
        expiresAt: '2099-01-01T00:00:00.000',
        webhook: false,
        ...(to === undefined ? {} : { sealedMail: sealJson(keyOf(identityId), context, to) }),
        sealedBusinessId: sealBusinessId(tenantId, identityId, 'BUSINESSCANARY'),
        ...more,
      });
    },
    close: async () => {
      await server.close();
      for (const one of notifiers) await one.close();
      await backends.close();
    },
  };
};
export type Rig = Awaited<ReturnType<typeof startRig>>;

export type Item = Static<typeof ItemSchema>;
