import { readFile } from 'node:fs/promises';
import {
  type DataOf,
  type Envelope,
  type EvaluatedEvidence,
  type EventType,
  type evidenceEvaluated,
  evidenceSubmitted,
  formatDateTime,
} from '@assay/contracts';
import type { Engine } from '@assay/engine';
import { ApiError, type InternalClient, wrapFor } from '@assay/http';
import { outboxEntry } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { newDataKey, openJson, sealingContext, sealJson } from '@assay/sealing';
import { quietLog, testKeys, waitFor } from '@assay/testing';
import { openBackends } from '@assay/testing/backends';
import { type ChipProcess, openChipProcess } from '../clients/chip-process.ts';
import { createWorker } from '../service.ts';
import { caseModel, createCaseStore } from '../store/cases.ts';
import { createTrustStore } from '../store/trust.ts';
import { consentTo, settingsWith } from './case-builders.ts';

const keysOfIdentities = new Map<string, Buffer>();
const TENANT = 'tenant-0000000000000001';

/** A specimen of the repository. */
export const specimen = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../../specimens/${name}`, import.meta.url));

type Evaluated = DataOf<typeof evidenceEvaluated>;

/** An identity as the gateway would grant it. */
export const anIdentity = (tenantId = TENANT) => {
  const identityId = newId();
  const key = newDataKey();
  keysOfIdentities.set(identityId, key);
  const context = (purpose: string) => sealingContext(tenantId, identityId, purpose);
  return {
    identityId,
    tenantId,
    seal: (purpose: string, value: unknown) => sealJson(key, context(purpose), value),
    open: <T>(purpose: string, sealed: string | undefined): T => openJson<T>(key, context(purpose), sealed!),
    event: <E extends EventType>(type: E, data: DataOf<E>) =>
      outboxEntry(type, { tenantId, identityId, at: new Date(), data }),
  };
};
export type Identity = ReturnType<typeof anIdentity>;

/** Announces a submission like evidence-intake. */
export const submission = (
  identity: Identity,
  rig: Rig,
  {
    images = {},
    content = {},
    ...data
  }: {
    images?: Partial<Record<'FRONT' | 'BACK' | 'PORTRAIT', Buffer>>;
    content?: Record<string, unknown>;
  } & Partial<DataOf<typeof evidenceSubmitted>> = {},
) => {
  const media = Object.entries(images).map(([role, bytes]) => {
    const mediaId = newId();
    rig.media.set(mediaId, bytes);
    return { mediaId, role: role as 'FRONT', contentType: 'image/jpeg', bytes: bytes.length, sha256: '' };
  });
  return identity.event(evidenceSubmitted, {
    evidenceId: newId(),
    type: 'ID_DOCUMENT',
    operation: 'ID_DOCUMENT_CAPTURE',
    submitDateTime: formatDateTime(new Date()),
    media,
    sealedSubmission: identity.seal('submission', content),
    consents: consentTo('PORTRAIT', 'GIV'),
    settings: settingsWith(),
    ...data,
  });
};

/**
 * Runs the worker in this process on the real MongoDB and broker. The rig plays the answers of the
 * other services.
 */
export const startRig = async (
  engine: Engine,
  now: () => Date = () => new Date(),
  /** Wraps the process that checks chips. */
  beforeChips: (process: ChipProcess) => ChipProcess = (process) => process,
) => {
  const media = new Map<string, Buffer>();
  const crops: { path: string; bytes: Buffer }[] = [];
  const gateway = {
    getJson: async (_path: string, { identityId }: { identityId: string }) => {
      const key = keysOfIdentities.get(identityId);
      if (!key) throw new ApiError('CLOSED');
      return { wrapped: wrapFor(testKeys('gateway'), 'verification-worker', key, identityId), holdMs: 60_000 };
    },
  } as unknown as InternalClient;
  const intake = {
    getJson: async () => Object.fromEntries([...media].map(([id, bytes]) => [id, bytes.toString('base64')])),
    getBytes: async (path: string) => {
      const bytes = media.get(path.split('/').at(-1)!);
      if (!bytes) throw new ApiError('NOT_FOUND');
      return { bytes, headers: {} };
    },
    putBytes: async (path: string, _claims: unknown, bytes: Buffer) => {
      crops.push({ path, bytes });
      media.set(path.split('/').at(-1)!.split('?')[0]!, bytes);
    },
  } as unknown as InternalClient;
  const backends = await openBackends<unknown>('verification-worker', { roomsMs: [20, 50, 100] });
  const { rabbitmq, published } = backends;
  const mongodb = await backends.database('worker');
  const chipProcess = await openChipProcess({ size: 1, log: quietLog });
  const warnings: object[] = [];
  const worker = await createWorker({
    mongodb,
    rabbitmq: backends.recording,
    gateway,
    intake,
    keys: testKeys('verification-worker'),
    engine,
    chipProcess: beforeChips(chipProcess),
    log: { ...quietLog, warn: (line: object) => void warnings.push(line) },
    now,
    sweepEveryMs: 200,
  });
  await worker.start();
  const evaluations = (identityId: string): Evaluated[] =>
    published
      .filter((one) => one.type === 'evidence.evaluated' && one.identityId === identityId)
      .map(({ data }) => data as Evaluated);

  /**
   * Every evidence of an identity as a reader sees it that applies only newer messages, and the
   * identity's part.
   */
  const view = (identityId: string) => {
    const evidences = new Map<string, EvaluatedEvidence>();
    let latest: Evaluated | undefined;
    for (const evaluated of evaluations(identityId)) {
      if (!latest || evaluated.caseRevision > latest.caseRevision) latest = evaluated;
      for (const one of evaluated.evidences)
        if ((evidences.get(one.evidenceId)?.evidenceRevision ?? 0) < one.evidenceRevision)
          evidences.set(one.evidenceId, one);
    }
    return { evidences, identity: latest?.identity };
  };

  const rig = {
    mongodb,
    cases: createCaseStore(caseModel(mongodb.connection)),
    trust: createTrustStore(mongodb.connection),
    media,
    crops,
    published,
    /** What the worker logged as a warning. */
    warnings,
    evaluations,
    view,
    send: (event: Envelope<unknown>) => rabbitmq.publish(event),
    status: (identityId: string, evidenceId: string) => view(identityId).evidences.get(evidenceId)?.status,
    settled: (
      event: Envelope<{ evidenceId: string }>,
      status: string | ((one: EvaluatedEvidence) => boolean) = ({ status: now }) => now !== 'PROCESSING',
    ) =>
      waitFor(
        `evidence to be ${typeof status === 'string' ? status : 'settled'}`,
        () => {
          const one = view(event.identityId).evidences.get(event.data.evidenceId);
          return one && (typeof status === 'string' ? one.status === status : status(one)) ? one : undefined;
        },
        20_000,
      ),
    events: <T>(identityId: string, type: string) =>
      published.filter((one) => one.identityId === identityId && one.type === type) as Envelope<T>[],
    close: async () => {
      await worker.close();
      await chipProcess.close();
      await backends.close();
    },
  };
  return rig;
};
export type Rig = Awaited<ReturnType<typeof startRig>>;
