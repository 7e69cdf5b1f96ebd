import { EventEmitter, once } from 'node:events';
import { connectBus } from '@assay/bus';
import type {
  DataOf,
  DocumentText,
  Envelope,
  HealthCard,
  issuingCheckCompleted,
  issuingCheckRequested,
} from '@assay/contracts';
import { ApiError, type InternalClient } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { newDataKey, sealingContext, sealJson, wrapKey } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import { openSources } from './clients/connectors.ts';
import type { Pace } from './domain/pace.ts';
import { type AdapterNeeds, createAdapter } from './service.ts';
import { credentials, type Simulators, startSimulators } from './test-simulators.ts';

export const SECRET = 'secret of the test suite';
const TENANT = 'tenant-0000000000000001';
const TRANSPORT = newDataKey();

type Completed = DataOf<typeof issuingCheckCompleted>;
type Requested = DataOf<typeof issuingCheckRequested>;

export interface Asked {
  document: DocumentText | HealthCard;
  type: Requested['type'];
  mode?: Requested['mode'];
  userCategory?: Requested['userCategory'];
  recheckAfterSeconds?: number;
  checkId?: string;
  identity?: { identityId: string; key: Buffer };
}

/**
 * The adapter in this process, on the real MongoDB and broker and the simulated sources, these in the same process unless others are given; the
 * gateway's two answers are played.
 */
export const startRig = async (
  pace: Partial<Pace> = {},
  more: Partial<AdapterNeeds> = {},
  given?: Omit<Simulators, 'close'>,
) => {
  const stack = testStack();
  const own = given ? undefined : await startSimulators();
  const simulators = given ?? own!;
  const closed = new Set<string>();
  const keys = new Map<string, Buffer>();
  const wrapped = (identityId: string) => ({
    kid: 'k1',
    wrapped: wrapKey(TRANSPORT, keys.get(identityId)!, identityId),
  });
  const gateway = {
    getJson: async () => ({ key: TRANSPORT.toString('base64') }),
    postJson: async (path: string) => {
      const identityId = path.split('/')[4] ?? '';
      if (closed.has(identityId)) throw new ApiError('CLOSED');
      return { claims: { key: wrapped(identityId) } };
    },
  } as unknown as InternalClient;
  const database = await connectMongo(stack.mongoUrl, stack.database('issuing'), quietLog);
  const [service, namespace] = ['issuing-source-adapter', stack.namespace()];
  const bus = await connectBus({ url: stack.amqpUrl, service, log: quietLog, namespace });
  const published: Envelope<Completed>[] = [];
  /** By the check's id: whoever asked again and again would take the processor from the adapter, which is measured here as well. */
  const heard = new EventEmitter().setMaxListeners(0);
  const now = () => new Date();
  const adapter = await createAdapter({
    database,
    bus: {
      ...bus,
      publish: async (event) => {
        await bus.publish(event);
        const completed = event as Envelope<Completed>;
        published.push(completed);
        heard.emit(completed.data.checkId, completed.data);
      },
    },
    gateway,
    internalSecret: SECRET,
    ...openSources({ dvsUrl: simulators.urls.dvs, aamvaUrl: simulators.urls.aamva, credentials, now }),
    pace: { budgetMs: 45_000, questionMs: 5000, attempts: 5, firstPauseMs: 50, ...pace },
    maintenanceWindows: false,
    now,
    log: quietLog,
    sweepEveryMs: 50,
    ...more,
  });

  const newIdentity = () => {
    const identity = { identityId: newId(), key: newDataKey() };
    keys.set(identity.identityId, identity.key);
    return identity;
  };

  const request = async ({ document, type, mode = 'TEXT', userCategory = 'COMMERCIAL', ...options }: Asked) => {
    const { identityId, key } = options.identity ?? newIdentity();
    const checkId = options.checkId ?? newId();
    await bus.publish({
      id: newId(),
      type: 'issuing-check.requested',
      at: new Date().toISOString(),
      tenantId: TENANT,
      identityId,
      key: wrapped(identityId),
      data: {
        checkId,
        evidenceId: newId(),
        type,
        mode,
        userCategory,
        sealedDocument: sealJson(key, sealingContext(TENANT, identityId, 'document'), document),
        ...(options.recheckAfterSeconds ? { recheckAfterSeconds: options.recheckAfterSeconds } : {}),
      },
    });
    return { checkId, identityId };
  };
  const told = (checkId: string) => published.filter(({ data }) => data.checkId === checkId).map(({ data }) => data);
  const answerTo = async (checkId: string, patienceMs = 15_000): Promise<Completed> => {
    const [already] = told(checkId);
    if (already) return already;
    const [first] = await once(heard, checkId, { signal: AbortSignal.timeout(patienceMs) });
    return first as Completed;
  };

  return {
    adapter,
    bus,
    database,
    simulators,
    closed,
    published,
    newIdentity,
    request,
    told,
    answerTo,
    check: async (asked: Asked, patienceMs?: number) => answerTo((await request(asked)).checkId, patienceMs),
    stored: (checkId: string) => database.connection.collection('checks').findOne({ _id: checkId as never }),
    publish: (type: string, identityId: string, data: unknown) =>
      bus.publish({ id: newId(), type, at: new Date().toISOString(), tenantId: TENANT, identityId, data }),
    close: async () => {
      await adapter.close();
      await bus.close();
      await database.connection.dropDatabase();
      await database.close();
      await own?.close();
    },
  };
};
export type Rig = Awaited<ReturnType<typeof startRig>>;
