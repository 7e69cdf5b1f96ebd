/**
 * `npm run bench:proof [-- --json FILE] [--mb 500] [--stack FILE]`: how long an archive of many
 * megabytes of stored media takes, from the request to its last byte in a client's file, and how
 * much memory, beside `zip -0` and `sha256sum` over the same files, one after the other, in the
 * same run. Needs zip, sha256sum and curl. Starts a suite of its own unless it is given one
 * (`--stack`, the stack.json of a running one).
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readKeys, verifyProof } from '@assay/client';
import { newIdentity, newTenant, readStack, residentMb, waitFor } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { onSuite } from './on-suite.ts';

const options = readArguments(import.meta.filename, {
  json: { type: 'string' },
  mb: { type: 'string', default: '500' },
  stack: { type: 'string' },
});
const MEBIBYTE = 1024 * 1024;
const FILE_MB = 50;
const fileCount = Math.ceil(Number(options.mb) / FILE_MB);
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-proof-'));

const seconds = (work: () => unknown): number => {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) / 1000;
};

const processOf = (service: string) => readStack().services[service]![0]!;
const memoryOf = (service: string): number => Math.round(residentMb(processOf(service).pid));

const buildSeconds = async (): Promise<number> => {
  const metrics = await (await fetch(`${processOf('proof-builder').adminUrl}/metrics`)).text();
  return Number(/^assay_proof_build_seconds_sum (\S+)$/m.exec(metrics)?.[1] ?? 0);
};

/**
 * Watches the memory of the services that media pass through; gives the growth over what they had
 * at the beginning.
 */
const watchMemory = (services: readonly string[]) => {
  const before = new Map(services.map((service) => [service, memoryOf(service)]));
  const peak = new Map(before);
  const timer = setInterval(() => {
    for (const service of services) peak.set(service, Math.max(peak.get(service)!, memoryOf(service)));
  }, 100);
  return () => {
    clearInterval(timer);
    return Object.fromEntries(
      services.map((service) => [service, { beforeMb: before.get(service)!, peakMb: peak.get(service)! }]),
    );
  };
};

const files = (): string[] =>
  Array.from({ length: fileCount }, (_, at) => {
    const file = join(folder, `${at}.bin`);
    writeFileSync(file, randomBytes(FILE_MB * MEBIBYTE));
    return file;
  });

const byCommonTools = (paths: readonly string[]) => {
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
  const zip = seconds(() => execFileSync('zip', ['-q', '-0', join(folder, 'plain.zip'), ...paths], quiet));
  const sha256sum = seconds(() => execFileSync('sha256sum', [...paths], quiet));
  return { zip, sha256sum, together: zip + sha256sum };
};

/**
 * With curl: a client in Node.js takes as much of a processor for these bytes as the services do.
 */
const retrieve = async (identityId: string, apikey: string): Promise<string> => {
  const { baseUrl, apiPrefix } = readStack();
  const file = join(folder, 'proof.bin');
  const url = `${baseUrl}/${apiPrefix}/v1/identities/${identityId}/proof`;
  await waitFor(
    'the proof',
    async () => {
      const options = ['-s', '-o', file, '-w', '%{http_code}', '-H', `apikey: ${apikey}`];
      return (await promisify(execFile)('curl', [...options, url])).stdout === '200';
    },
    600_000,
  );
  return file;
};

const measure = async () => {
  const tenant = await newTenant('bench proof', { limits: { maxFileBytes: 2 * FILE_MB * MEBIBYTE } });
  const identity = await newIdentity(tenant.relyingService);
  const paths = files();
  for (const path of paths) {
    const { status } = await tenant.relyingService.upload(`${identity.at}/additional-files`, {
      File: readFileSync(path),
    });
    if (status !== 200) throw new Error(`an upload was answered with ${status}`);
  }
  const common = byCommonTools(paths);
  const built = await buildSeconds();
  const memory = watchMemory(['proof-builder', 'evidence-intake', 'gateway']);
  const startedAt = performance.now();
  const proof = await retrieve(identity.id, tenant.keys.relyingService);
  const retrieval = (performance.now() - startedAt) / 1000;
  const build = (await buildSeconds()) - built;
  const peaks = memory();
  const keys = readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
  const { ok } = await verifyProof(proof, keys);
  return {
    mediaMb: fileCount * FILE_MB,
    buildSeconds: build,
    retrievalSeconds: retrieval,
    commonTools: common,
    speedOfRetrieval: common.together / retrieval,
    memory: peaks,
    verified: ok,
  };
};

try {
  const figures = await onSuite(measure, { stack: options.stack });
  const words = (value: number): string => `${value.toFixed(2)} s`;
  console.log(`media                     ${figures.mediaMb} MB`);
  console.log(`planned, signed, stored   ${words(figures.buildSeconds)}`);
  console.log(`retrieved, that included  ${words(figures.retrievalSeconds)}`);
  console.log(`zip -0, then sha256sum    ${words(figures.commonTools.zip)} + ${words(figures.commonTools.sha256sum)}`);
  console.log(`speed of the retrieval    ${figures.speedOfRetrieval.toFixed(2)} of theirs (0.8 is wanted)`);
  for (const [service, { beforeMb, peakMb }] of Object.entries(figures.memory))
    console.log(`memory of ${service.padEnd(16)}${beforeMb} MB before, ${peakMb} MB at most`);
  console.log(`verified                  ${figures.verified}`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
