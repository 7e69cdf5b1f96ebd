import { connectBus } from '@assay/bus';
import type { Envelope } from '@assay/contracts';
import { createApp, createInternalClient, type InternalClient, listen } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { newDataKey, seal, sealingContext, wrapKey } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import type { Send } from './clients/sms.ts';
import { routes } from './http/routes.ts';
import { createNotifier } from './service.ts';

const SECRET = 'secret of the test suite';
const TRANSPORT = newDataKey();

export interface RigOptions {
  allowPrivateTargets?: string[];
  senders?: { EMAIL?: Send; MOBILE?: Send };
  attemptTimeoutMs?: number;
  replicas?: number;
}

/** The notifier in this process, on the real MongoDB and broker; `replicas` of it on one database. */
export const startRig = async (options: RigOptions = {}) => {
  const stack = testStack();
  const database = await connectMongo(stack.mongoUrl, stack.database('notifier'), quietLog);
  const bus = await connectBus({
    url: stack.amqpUrl,
    service: 'notifier',
    log: quietLog,
    namespace: stack.namespace(),
  });
  const published: Envelope<Record<string, unknown>>[] = [];
  const watched: typeof bus = {
    ...bus,
    publish: async (event) => {
      await bus.publish(event);
      published.push(event as Envelope<Record<string, unknown>>);
    },
  };
  const gateway = { getJson: async () => ({ key: TRANSPORT.toString('base64') }) } as unknown as InternalClient;
  const masterKey = newDataKey();
  const start = () =>
    createNotifier({
      database,
      bus: watched,
      gateway,
      log: quietLog,
      now: () => new Date(),
      masterKey,
      allowPrivateTargets: options.allowPrivateTargets ?? ['127.0.0.0/8', '::1/128'],
      senders: options.senders ?? {},
      sweepEveryMs: 25,
      ...(options.attemptTimeoutMs === undefined ? {} : { attemptTimeoutMs: options.attemptTimeoutMs }),
    });
  const notifiers = [await start()];
  for (let more = 1; more < (options.replicas ?? 1); more += 1) notifiers.push(await start());
  const [notifier] = notifiers;
  if (!notifier) throw new Error('none');
  const app = createApp({ service: 'notifier', log: quietLog, routes: routes(notifier, SECRET) });
  const server = await listen(app, { port: 0 });
  const client = createInternalClient({
    baseUrl: `http://127.0.0.1:${server.port}`,
    secret: SECRET,
    service: 'gateway',
    log: quietLog,
  });
  const claims = (tenantId: string) => ({ tenantId, identityId: 'suite', requestId: newId() });

  const publish = (type: string, tenantId: string, identityId: string, data: unknown, more = {}) => {
    const event = { id: newId(), type, at: new Date().toISOString(), tenantId, identityId, data, ...more };
    return bus.publish(event).then(() => event);
  };

  return {
    database,
    published,
    notifier,
    publish,
    republish: (event: Envelope<unknown>) => bus.publish(event),
    setEndpoint: (tenantId: string, webhook: unknown) =>
      client.putJson<Record<string, unknown>>(`/internal/v1/endpoints/${tenantId}`, claims(tenantId), webhook),
    endpoint: (tenantId: string) =>
      client.getJson<Record<string, unknown>>(`/internal/v1/endpoints/${tenantId}`, claims(tenantId)),
    testEndpoint: (tenantId: string) =>
      client.postJson<Record<string, unknown>>(`/internal/v1/endpoints/${tenantId}/test`, claims(tenantId), {}),
    deliveries: async (tenantId: string, query = '') =>
      client.getJson<{ items: Item[]; cursor?: string }>(
        `/internal/v1/deliveries?tenantId=${tenantId}${query}`,
        claims(tenantId),
      ),
    resend: (tenantId: string, deliveryId: string) =>
      client.postJson<Item>(`/internal/v1/deliveries/${deliveryId}/resend`, claims(tenantId), {}),
    /** evaluation.published of a fresh identity; gives the event. */
    evaluation: (tenantId: string, identityId: string = newId(), more = {}) =>
      publish('evaluation.published', tenantId, identityId, {
        identityStatus: 'EXPECTING_INPUT',
        completedAt: '2026-01-02T03:04:05.678',
        evidence: { evidenceId: newId(), evidenceType: 'PASSPORT', evidenceOperation: 'CREATED' },
        ...more,
      }),
    /** one-time-code.requested, sealed as the gateway would. */
    code: (channel: 'EMAIL' | 'MOBILE', to: string, code: string, more = {}) => {
      const [tenantId, identityId, key] = [newId(), newId(), newDataKey()];
      const data = {
        codeId: newId(),
        evidenceId: newId(),
        channel,
        expiresAt: '2099-01-01T00:00:00.000',
        sealedMessage: seal(key, sealingContext(tenantId, identityId, 'message'), JSON.stringify({ to, code })),
        ...more,
      };
      const wrapped = { kid: 'k1', wrapped: wrapKey(TRANSPORT, key, identityId) };
      return publish('one-time-code.requested', tenantId, identityId, data, { key: wrapped }).then(() => data.codeId);
    },
    close: async () => {
      await server.close();
      for (const one of notifiers) await one.close();
      await bus.close();
      await database.connection.dropDatabase();
      await database.close();
    },
  };
};
export type Rig = Awaited<ReturnType<typeof startRig>>;

export interface Item {
  deliveryId: string;
  webhookId: string;
  identityId: string;
  event: string;
  state: string;
  attempts: { at: string; statusCode?: number; error?: string }[];
}
