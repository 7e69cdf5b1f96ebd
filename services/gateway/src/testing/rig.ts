import { connectBus } from '@assay/bus';
import {
  type Envelope,
  type EvaluatedEvidence,
  evidenceEvaluated,
  formatDateTime,
  type TenantSettings,
} from '@assay/contracts';
import { listen } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { shippedPolicies } from '@assay/policy';
import { newId } from '@assay/runtime';
import { newDataKey } from '@assay/sealing';
import { type Api, apiWith, quietLog, testStack } from '@assay/testing';
import { createClients } from '../clients/clients.ts';
import { createGateway, type GatewayOptions } from '../service.ts';
import { anEvaluation } from './evaluations.ts';
import { startNeighbours } from './neighbours.ts';

const SECRET = 'secret of the test suite';

export interface RigOptions {
  clock?: () => Date;
  more?: Partial<GatewayOptions>;
}

/** The gateway in this process, on the real MongoDB and broker, with its neighbours played over HTTP. */
export const startRig = async ({ clock = () => new Date(), more = {} }: RigOptions = {}) => {
  const stack = testStack();
  const neighbours = await startNeighbours(SECRET);
  const log = quietLog;
  const database = await connectMongo(stack.mongoUrl, stack.database('gateway'), log);
  const keyDatabase = await connectMongo(stack.mongoUrl, stack.database('keys'), log);
  const namespace = stack.namespace();
  const bus = await connectBus({ url: stack.amqpUrl, service: 'gateway', log, namespace });
  const published: Envelope<Record<string, unknown>>[] = [];
  const at = {
    EVIDENCE_INTAKE_URL: neighbours.url,
    PROOF_BUILDER_URL: neighbours.url,
    NOTIFIER_URL: neighbours.url,
    VERIFICATION_WORKER_URL: neighbours.url,
    INTERNAL_SECRET: SECRET,
  };
  const gateway = await createGateway({
    ...createClients(at, log),
    database,
    keyDatabase,
    bus: {
      ...bus,
      publish: async (event) => {
        await bus.publish(event);
        published.push(event as Envelope<Record<string, unknown>>);
      },
    },
    masterKey: newDataKey(),
    internalSecret: SECRET,
    policies: shippedPolicies(),
    prefixes: ['svc', 'gips'],
    pages: 'none',
    version: '0.0.0',
    clock,
    log,
    sweepEveryMs: 50,
    checkpointEveryMs: 100,
    ...more,
  });
  const server = await listen(gateway.app, { port: 0 });
  const internal = await listen(gateway.internalApp, { port: 0 });
  const consumer = await gateway.consume();
  const sweepers = gateway.sweep();
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const administrator = `administrator-${newId()}`;
  await gateway.apiKeys.register(administrator, 'ADMINISTRATOR', undefined);

  const tenant = async (settings: TenantSettings = {}) => {
    const tenantId = newId();
    await gateway.tenants.create(tenantId, 'a tenant', settings);
    const key = async (role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR') =>
      (await gateway.apiKeys.create(tenantId, role)).apiKey;
    const keys = { rs: await key('RELYING_SERVICE'), ua: await key('USER_AGENT'), op: await key('OPERATOR') };
    return {
      tenantId,
      keys,
      rs: apiWith(baseUrl, keys.rs),
      ua: apiWith(baseUrl, keys.ua),
      op: apiWith(baseUrl, keys.op),
    };
  };

  /** What the verification-worker would say of one evidence. */
  const evaluate = (
    identityId: string,
    evidence: Partial<EvaluatedEvidence> & { evidenceId: string },
    identity: { caseRevision?: number; levelOfAssurance?: 'LOA0' | 'LOA1' | 'LOA2' } = {},
  ) =>
    bus.publish({
      id: newId(),
      type: evidenceEvaluated.type,
      at: new Date().toISOString(),
      tenantId: 'tenant-0000000000000001',
      identityId,
      data: {
        caseRevision: identity.caseRevision ?? 1,
        policy: { name: 'default', version: '1' },
        evidences: [anEvaluation(evidence)],
        identity: {
          levelOfAssurance: identity.levelOfAssurance ?? 'LOA0',
          evaluationDateTime: formatDateTime(new Date()),
          upgradePaths: {},
        },
      },
    });

  return {
    gateway,
    asked: neighbours.asked,
    published,
    bus,
    baseUrl,
    internalUrl: `http://127.0.0.1:${internal.port}`,
    admin: apiWith(baseUrl, administrator),
    tenant,
    evaluate,
    publish: (type: string, identityId: string, data: unknown) =>
      bus.publish({
        id: newId(),
        type,
        at: new Date().toISOString(),
        tenantId: 'tenant-0000000000000001',
        identityId,
        data,
      }),
    close: async () => {
      for (const part of [server, internal, ...sweepers, consumer, gateway, bus]) await part.close();
      await neighbours.close();
      await Promise.all([database.connection.dropDatabase(), keyDatabase.connection.dropDatabase()]);
      await database.close();
      await keyDatabase.close();
    },
  };
};
export type Rig = Awaited<ReturnType<typeof startRig>>;

/** Creates an identity and gives the path of it. */
export const created = async (api: Api): Promise<{ id: string; at: string }> => {
  const { body } = await api.post('/svc/v1/identities', {});
  return { id: body.id, at: `/svc/v1/identities/${body.id}` };
};
