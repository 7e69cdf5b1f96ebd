import { EventEmitter, once } from 'node:events';
import type {
  Consent,
  DataOf,
  DocumentText,
  HealthCard,
  issuingCheckCompleted,
  issuingCheckRequested,
} from '@assay/contracts';
import { ApiError, type InternalClient, wrapFor } from '@assay/http';
import { newId } from '@assay/runtime';
import { newDataKey, sealingContext, sealJson } from '@assay/sealing';
import { quietLog, testKeys } from '@assay/testing';
import { openBackends } from '@assay/testing/backends';
import { openSources } from '../clients/connectors.ts';
import type { Pace } from '../domain/pace.ts';
import { createAdapter, type Deps } from '../service.ts';
import { credentials, type Simulators, startSimulators } from './simulators.ts';

const TENANT = 'tenant-0000000000000001';

type Completed = DataOf<typeof issuingCheckCompleted>;
type Requested = DataOf<typeof issuingCheckRequested>;

export interface Asked {
  document: DocumentText | HealthCard;
  type: Requested['type'];
  mode?: Requested['mode'];
  userCategory?: Requested['userCategory'];
  recheckAfterSeconds?: number;
  checkId?: string;
  evidenceId?: string;
  identity?: { identityId: string; key: Buffer };
  /** The consents of the request: one by default, null as a former version sent it. */
  consents?: Consent[] | null;
}

/** A consent to asking issuers. */
export const aConsent = (more: Partial<Consent> = {}): Consent => ({
  consentId: newId(),
  approved: true,
  type: 'GIV',
  ...more,
});

/**
 * Runs the adapter in this process, on the real MongoDB and broker. The simulated sources run in
 * the same process unless others are given. The rig plays the gateway's two answers.
 */
export const startRig = async (
  pace: Partial<Pace> = {},
  more: Partial<Deps> = {},
  given?: Omit<Simulators, 'close'>,
) => {
  const own = given ? undefined : await startSimulators();
  const simulators = given ?? own!;
  const closed = new Set<string>();
  const keys = new Map<string, Buffer>();
  const gateway = {
    getJson: async (path: string) => {
      const identityId = path.split('/')[4] ?? '';
      if (closed.has(identityId)) throw new ApiError('CLOSED');
      const key = keys.get(identityId)!;
      return { wrapped: wrapFor(testKeys('gateway'), 'issuing-source-adapter', key, identityId), holdMs: 0 };
    },
  } as unknown as InternalClient;
  /**
   * Results by the check's id. Polling would take processor time from the adapter, which is
   * measured here as well.
   */
  const heard = new EventEmitter().setMaxListeners(0);
  const backends = await openBackends<Completed>('issuing-source-adapter', {
    onPublished: ({ data }) => heard.emit(data.checkId, data),
  });
  const { rabbitmq, published } = backends;
  const mongodb = await backends.database('issuing');
  const now = () => new Date();
  const adapter = await createAdapter({
    mongodb,
    rabbitmq: backends.recording,
    gateway,
    keys: testKeys('issuing-source-adapter'),
    ...openSources({ dvsUrl: simulators.urls.dvs, aamvaUrl: simulators.urls.aamva, credentials, now }),
    pace: { budgetMs: 45_000, questionMs: 5000, attempts: 5, firstPauseMs: 50, ...pace },
    maintenanceWindows: false,
    now,
    log: quietLog,
    sweepEveryMs: 50,
    ...more,
  });
  await adapter.start();

  const newIdentity = () => {
    const identity = { identityId: newId(), key: newDataKey() };
    keys.set(identity.identityId, identity.key);
    return identity;
  };

  const request = async ({ document, type, mode = 'TEXT', userCategory = 'COMMERCIAL', ...options }: Asked) => {
    const { identityId, key } = options.identity ?? newIdentity();
    const checkId = options.checkId ?? newId();
    const evidenceId = options.evidenceId ?? newId();
    const { consents = [aConsent()] } = options;
    await rabbitmq.publish({
      id: newId(),
      type: 'issuing-check.requested',
      at: new Date().toISOString(),
      tenantId: TENANT,
      identityId,
      data: {
        checkId,
        evidenceId,
        type,
        mode,
        userCategory,
        sealedDocument: sealJson(key, sealingContext(TENANT, identityId, 'document'), document),
        ...(consents ? { consents } : {}),
        ...(options.recheckAfterSeconds ? { recheckAfterSeconds: options.recheckAfterSeconds } : {}),
      },
    });
    return { checkId, identityId, evidenceId };
  };
  const results = (checkId: string) => published.filter(({ data }) => data.checkId === checkId).map(({ data }) => data);
  const answerTo = async (checkId: string, patienceMs = 15_000): Promise<Completed> => {
    const [already] = results(checkId);
    if (already) return already;
    const [first] = await once(heard, checkId, { signal: AbortSignal.timeout(patienceMs) });
    return first as Completed;
  };

  return {
    adapter,
    rabbitmq,
    mongodb,
    simulators,
    closed,
    published,
    newIdentity,
    request,
    results,
    answerTo,
    check: async (asked: Asked, patienceMs?: number) => answerTo((await request(asked)).checkId, patienceMs),
    stored: (checkId: string) => mongodb.connection.collection('checks').findOne({ _id: checkId as never }),
    publish: (type: string, identityId: string, data: unknown) =>
      rabbitmq.publish({ id: newId(), type, at: new Date().toISOString(), tenantId: TENANT, identityId, data }),
    close: async () => {
      await adapter.close();
      await backends.close();
      await own?.close();
    },
  };
};
export type Rig = Awaited<ReturnType<typeof startRig>>;
