import { Readable } from 'node:stream';
import type { Envelope, ProofReady } from '@assay/contracts';
import { ApiError, listen, signToken } from '@assay/http';
import { mediaContext, newDataKey, sealStream, wrapKey } from '@assay/sealing';
import { quietLog, testKeys } from '@assay/testing';
import { openBackends } from '@assay/testing/backends';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { createProofBuilder } from '../service.ts';
import { TENANT } from './event-builder.ts';
import type { Flow } from './longest-flow.ts';

/**
 * Replaces evidence-intake in tests of this service: has the media of the given flows, each sealed
 * under a key of its own.
 */
const intakeOf = (flows: readonly Flow[], beforeRetaining: (identityId: string) => Promise<void>) => {
  const keys = new Map<string, Buffer>();
  const retained = new Map<string, readonly string[]>();
  const flowOf = (identityId: string): Flow => flows.find((flow) => flow.identityId === identityId)!;
  const keyOf = (mediaId: string): Buffer => {
    const key = keys.get(mediaId) ?? newDataKey();
    keys.set(mediaId, key);
    return key;
  };
  const intake: EvidenceIntake = {
    mediaOf: async (evidenceId) =>
      flows.flatMap(({ media }) => media.get(evidenceId) ?? []).map(({ content: _, ...reference }) => reference),
    retain: async (archiveId, mediaIds, { identityId }) => {
      await beforeRetaining(identityId);
      retained.set(archiveId, mediaIds);
      return mediaIds.map((mediaId) => ({
        mediaId,
        wrappedKey: wrapKey(flowOf(identityId).key, keyOf(mediaId), mediaContext(TENANT, identityId, mediaId)),
      }));
    },
    release: async (archiveId) => {
      retained.delete(archiveId);
    },
    openSealed: async (archiveId, mediaId, { identityId }) => {
      if (!retained.get(archiveId)?.includes(mediaId)) throw new ApiError('NOT_FOUND');
      const { content } = [...flowOf(identityId).media.values()].flat().find((medium) => medium.mediaId === mediaId)!;
      return Readable.from([content]).pipe(sealStream(keyOf(mediaId), mediaContext(TENANT, identityId, mediaId)));
    },
  };
  return { intake, retained };
};

interface RigOptions {
  /** Happens while a proof is built. */
  beforeRetaining?: (identityId: string) => Promise<void>;
  sweepEveryMs?: number;
}

/** Runs the service on its own database and broker, with a clock that a test can move. */
export const startProofBuilder = async (
  flows: readonly Flow[],
  { beforeRetaining = async () => undefined, sweepEveryMs = 200 }: RigOptions = {},
) => {
  const { intake, retained } = intakeOf(flows, beforeRetaining);
  const backends = await openBackends('proof-builder');
  const { rabbitmq } = backends;
  const mongodb = await backends.database('proof');
  const keyMongodb = await backends.database('proof_keys');
  let offsetMs = 0;
  const service = await createProofBuilder({
    mongodb,
    keyMongodb,
    rabbitmq,
    intake,
    masterKey: newDataKey(),
    keys: testKeys('proof-builder'),
    componentVersion: '0.1.0',
    signingKeys: { bits: 2048, maxAgeSeconds: 1000, overlapSeconds: 100 },
    now: () => new Date(Date.now() + offsetMs),
    log: quietLog,
    historyPatienceMs: 400,
    sweepEveryMs,
  });
  const server = await listen(service.app, { port: 0 });
  await service.start();
  const base = `http://127.0.0.1:${server.port}/internal/v1`;

  const headersFor = ({ identityId, key }: Pick<Flow, 'identityId' | 'key'>) => ({
    'content-type': 'application/json',
    authorization: `Bearer ${signToken(testKeys('gateway'), 'proof-builder', {
      tenantId: TENANT,
      identityId,
      requestId: 'request-of-a-test',
      key,
    })}`,
  });
  const call = (flow: Pick<Flow, 'identityId' | 'key'>, path: string, body?: unknown): Promise<Response> =>
    fetch(`${base}${path}`, {
      headers: headersFor(flow),
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });

  return {
    mongodb,
    keyMongodb,
    retained,
    call,
    base,
    publish: (events: readonly Envelope<unknown>[]) => Promise.all(events.map((event) => rabbitmq.publish(event))),
    /** Requests a proof until the history has caught up. */
    proof: async (flow: Flow): Promise<ProofReady> => {
      for (;;) {
        const response = await call(flow, '/proofs', flow.request);
        if (response.status === 201) return (await response.json()) as ProofReady;
        if (response.status !== 503) throw new Error(`${response.status} ${await response.text()}`);
      }
    },
    archive: async (flow: Flow): Promise<Buffer> => {
      const response = await call(flow, `/proofs/${flow.request.proofId}/archive`);
      if (response.status !== 200) throw new Error(`archive: ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    },
    later: (seconds: number) => {
      offsetMs += seconds * 1000;
    },
    close: async () => {
      await service.close();
      await server.close();
      await backends.close();
    },
  };
};
