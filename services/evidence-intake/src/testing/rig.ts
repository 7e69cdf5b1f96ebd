import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { type InternalClaims, present } from '@assay/contracts';
import { ApiError, type InternalClient, listen, type ServiceName, signToken } from '@assay/http';
import { newId } from '@assay/runtime';
import { newDataKey } from '@assay/sealing';
import { quietLog, testKeys } from '@assay/testing';
import { openBackends } from '@assay/testing/backends';
import sharp from 'sharp';
import { createIntake } from '../service.ts';

const settings: NonNullable<InternalClaims['settings']> = {
  policy: { name: 'default', version: '1' },
  acceptSpecimens: true,
  issuingSources: { enabled: false, userCategory: 'COMMERCIAL' },
  adjudication: { enabled: false, fourEyes: false, expirySeconds: 60 },
};

/** An identity as the gateway would grant it. */
export const anIdentity = () => {
  const identityId = newId();
  const key = newDataKey();
  const claims = (more: Partial<InternalClaims> = {}): InternalClaims => ({
    service: 'gateway',
    tenantId: 'tenant-0000000000000001',
    identityId,
    requestId: newId(),
    key,
    evidenceId: newId(),
    operation: 'ID_DOCUMENT_CAPTURE',
    consents: [],
    settings,
    identityCreatedAt: '2026-01-02T03:04:05.678',
    ...more,
  });
  return { identityId, key, claims };
};

/** A grey noise image of a given size. The noise makes the file large enough. */
export const anImage = (width = 320, height = 200, format: 'jpeg' | 'png' | 'webp' = 'jpeg'): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
    .toFormat(format)
    .toBuffer();

export interface Answer {
  status: number;
  body: Record<string, unknown> & { errors?: { code: string; field?: string }[] };
}

/**
 * Only these services may call a route: proof-builder those of archives, the worker those of crops
 * and chip files, the gateway all others.
 */
const callerOf = (path: string): ServiceName => {
  if (path.startsWith('/archives/')) return 'proof-builder';
  return /\/(crops\/|chip-files)/.test(path) ? 'verification-worker' : 'gateway';
};
const tokenFor = (path: string, claims: InternalClaims): string =>
  signToken(testKeys(callerOf(path)), 'evidence-intake', claims);

/**
 * Runs evidence-intake in this process, on the real MongoDB and broker. The rig plays the gateway's
 * two internal answers.
 */
export const startRig = async (
  options: { reconcileAfterMs?: number; maxUploads?: number } & Pick<
    Parameters<typeof createIntake>[0],
    'openObjects' | 'republishAfterMs'
  > = {},
) => {
  const closed = new Set<string>();
  const granted = new Map<string, InternalClaims>();
  const gateway = {
    postJson: async (path: string) => {
      const identityId = path.split('/')[4] ?? '';
      if (closed.has(identityId)) throw new ApiError('CLOSED');
      return { claims: granted.get(identityId) };
    },
  } as unknown as InternalClient;
  const backends = await openBackends('evidence-intake');
  const { rabbitmq, published } = backends;
  const mongodb = await backends.database('intake');
  const intake = await createIntake({
    mongodb,
    rabbitmq: backends.recording,
    gateway,
    ...present({ openObjects: options.openObjects, republishAfterMs: options.republishAfterMs }),
    keys: testKeys('evidence-intake'),
    log: quietLog,
    now: () => new Date(),
    reconcileAfterMs: options.reconcileAfterMs ?? 60_000,
    maxUploads: options.maxUploads ?? 64,
    sweepEveryMs: 50,
  });
  await intake.start();
  const server = await listen(intake.app, { port: 0 });

  const call = (
    method: string,
    path: string,
    claims: InternalClaims,
    body?: Buffer,
    headers = {},
  ): Promise<Answer & { bytes: Buffer; headers: Record<string, unknown> }> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          port: server.port,
          method,
          path: `/internal/v1${path}`,
          headers: { authorization: `Bearer ${tokenFor(path, claims)}`, ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const isJson = /json/.test(response.headers['content-type'] ?? '');
            resolve({
              status: response.statusCode ?? 0,
              body: isJson ? JSON.parse(bytes.toString()) : {},
              bytes,
              headers: response.headers,
            });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });

  /** Writes an upload to the port as it is. Returns the reply's status and JSON body. */
  const raw = (claims: InternalClaims, head: string[], body: (Buffer | string)[]): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => {
        const text = Buffer.concat(chunks)
          .toString('utf8')
          .replace(/^HTTP\/1\.1 100[^\n]*\r\n\r\n/, '');
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
        const json = /\{.*\}/s.exec(text)?.[0];
        resolve({ status, body: json ? JSON.parse(json) : {} });
      });
      socket.write(
        [
          'POST /internal/v1/evidences/capture HTTP/1.1',
          'Host: intake',
          'Connection: close',
          `Authorization: Bearer ${tokenFor('/evidences/capture', claims)}`,
          ...head,
          '',
          '',
        ].join('\r\n'),
      );
      for (const part of body) socket.write(part);
    });

  const stored = async () => ({
    evidences: await mongodb.connection.collection('evidences').countDocuments(),
    media: await mongodb.connection.collection('media').countDocuments(),
    files: await mongodb.connection.collection('blobs.files').countDocuments(),
    chunks: await mongodb.connection.collection('blobs.chunks').countDocuments(),
  });

  return {
    intake,
    rabbitmq,
    mongodb,
    published,
    closed,
    granted,
    call,
    raw,
    stored,
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
      await server.close();
      await intake.close();
      await backends.close();
    },
  };
};
export type Rig = Awaited<ReturnType<typeof startRig>>;
