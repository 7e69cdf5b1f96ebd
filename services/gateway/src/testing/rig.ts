import { type EvaluatedEvidence, evidenceEvaluated, formatDateTime, type TenantSettings } from '@assay/contracts';
import { listen } from '@assay/http';
import { connectMongo, type Database } from '@assay/mongo';
import { shippedPolicies } from '@assay/policy';
import { newId } from '@assay/runtime';
import { newDataKey } from '@assay/sealing';
import { type Api, apiWith, quietLog, testKeys, testStack } from '@assay/testing';
import { openBackends } from '@assay/testing/backends';
import { createClients } from '../clients/clients.ts';
import { createGateway, type Deps } from '../service.ts';
import { anEvaluation } from './evaluations.ts';
import { startNeighbours } from './neighbours.ts';

export interface RigOptions {
  now?: () => Date;
  more?: Partial<Deps>;
}

/**
 * Runs the gateway in this process, on the real MongoDB and broker. The rig plays its neighbours
 * over HTTP.
 */
export const startRig = async ({ now = () => new Date(), more = {} }: RigOptions = {}) => {
  const neighbours = await startNeighbours();
  const log = quietLog;
  const internalKeys = testKeys('gateway');
  const backends = await openBackends('gateway');
  const { rabbitmq, published } = backends;
  const databases = { mongodb: await backends.database('gateway'), keysMongodb: await backends.database('keys') };
  const { mongodb, keysMongodb } = databases;
  const at = {
    EVIDENCE_INTAKE_URL: neighbours.url,
    PROOF_BUILDER_URL: neighbours.url,
    NOTIFIER_URL: neighbours.url,
    VERIFICATION_WORKER_URL: neighbours.url,
    ISSUING_SOURCE_ADAPTER_URL: neighbours.url,
  };
  const options: Deps = {
    ...createClients(at, internalKeys, log),
    ...databases,
    rabbitmq: backends.recording,
    masterKey: newDataKey(),
    internalKeys,
    policies: shippedPolicies(),
    prefixes: ['svc', 'gips'],
    pages: 'none',
    specimens: 'none',
    version: '0.0.0',
    now,
    log,
    // Each round is a query: every 50 ms they took a fifth of the processor time of these tests.
    sweepEveryMs: 250,
    checkpointEveryMs: 500,
    ...more,
  };
  const gateway = await createGateway(options);
  const server = await listen(gateway.app, { port: 0 });
  const internal = await listen(gateway.internalApp, { port: 0 });
  await gateway.start();
  const { tenants, apiKeys } = gateway.stores;
  const baseUrl = `http://127.0.0.1:${server.port}`;

  /**
   * Another gateway on the same databases, which answers calls. It consumes and sweeps only if it
   * `starts`.
   */
  const another = async ({ starts = false, ...other }: Partial<Deps> & { starts?: boolean } = {}) => {
    const again = ({ connection }: Database) => connectMongo(testStack().mongoUrl, connection.name, log);
    const own = { mongodb: await again(mongodb), keysMongodb: await again(keysMongodb) };
    const replica = await createGateway({ ...options, ...own, ...other });
    const listening = await listen(replica.app, { port: 0 });
    if (starts) await replica.start();
    return {
      baseUrl: `http://127.0.0.1:${listening.port}`,
      close: async () => {
        for (const part of [listening, replica, own.mongodb, own.keysMongodb]) await part.close();
      },
    };
  };
  const administrator = `administrator-${newId()}`;
  await apiKeys.register(administrator, 'ADMINISTRATOR', undefined);

  const tenant = async (settings: TenantSettings = {}) => {
    const tenantId = newId();
    await tenants.create(tenantId, 'a tenant', settings, { isAtNotifier: true });
    const key = async (role: 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR') =>
      (await apiKeys.create({ tenantId, role })).apiKey;
    const keys = { rs: await key('RELYING_SERVICE'), ua: await key('USER_AGENT'), op: await key('OPERATOR') };
    return {
      tenantId,
      keys,
      rs: apiWith(baseUrl, keys.rs),
      ua: apiWith(baseUrl, keys.ua),
      op: apiWith(baseUrl, keys.op),
    };
  };

  /** Publishes an evaluation of one evidence like the verification-worker. */
  const evaluate = (
    identityId: string,
    evidence: Partial<EvaluatedEvidence> & { evidenceId: string },
    identity: { caseRevision?: number; levelOfAssurance?: 'LOA0' | 'LOA1' | 'LOA2' } = {},
  ) =>
    rabbitmq.publish({
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
    stores: gateway.stores,
    keys: keysMongodb.connection,
    groups: gateway.groups,
    asked: neighbours.asked,
    published,
    bus: rabbitmq,
    baseUrl,
    internalUrl: `http://127.0.0.1:${internal.port}`,
    administrator,
    admin: apiWith(baseUrl, administrator),
    tenant,
    another,
    evaluate,
    publish: (type: string, identityId: string, data: unknown) =>
      rabbitmq.publish({
        id: newId(),
        type,
        at: new Date().toISOString(),
        tenantId: 'tenant-0000000000000001',
        identityId,
        data,
      }),
    close: async () => {
      for (const part of [server, internal, gateway]) await part.close();
      await neighbours.close();
      await backends.close();
    },
  };
};
export type Rig = Awaited<ReturnType<typeof startRig>>;

/** Creates an identity and returns its path. */
export const created = async (api: Api): Promise<{ id: string; at: string }> => {
  const { body } = await api.post('/svc/v1/identities', {});
  return { id: body.id, at: `/svc/v1/identities/${body.id}` };
};
