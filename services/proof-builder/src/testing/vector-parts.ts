import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Authority } from '@assay/chip/software';
import { ZipFile } from 'yazl';
import { type ArchivePlan, proofFile, signedContent } from '../domain/archive.ts';
import type { Flow } from './longest-flow.ts';
import { ENDED_AT, planOf, signWith } from './plan-of.ts';

/** One published test vector: a file, the result that a verifier must give, and why. */
export interface Vector {
  file: string;
  verdict: 'good' | 'refused' | 'unusable';
  /** The check that refuses it. */
  check?: 'envelope' | 'zip' | 'hashes' | 'signature' | 'schema' | 'consistency' | 'chip';
  /** The authority to verify its chips with. */
  csca?: string;
  why: string;
  bytes: Buffer;
}

export interface Entry {
  name: string;
  bytes: Buffer;
}

export const pack = (entries: readonly Entry[], compress = false): Promise<Buffer> => {
  const zip = new ZipFile();
  const options = { compress, mtime: ENDED_AT, mode: 0o100644, forceDosTimestamp: true };
  for (const { name, bytes } of entries) zip.addBuffer(bytes, name, options);
  zip.end();
  return buffer(zip.outputStream as Readable);
};

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Replaces bytes of a file in place, wherever they occur. */
export const replaced = (bytes: Buffer, from: string, to: string): Buffer => {
  if (from.length !== to.length || !bytes.includes(from)) throw new Error(`cannot put ${to} for ${from}`);
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
};

export interface VectorInput {
  flow: Flow;
  /** The flow of another identity, from which a file is swapped in. */
  other: Flow;
  privatePem: string;
  publicPem: string;
  /** A key that is not published. */
  strangerPem: string;
  /** The issuer of the chips. */
  authority: Authority;
}

export const parts = ({ flow, privatePem }: VectorInput) => {
  const plan = planOf(flow);
  const media = new Map([...flow.media.values()].flat().map(({ mediaId, content }) => [mediaId, content]));
  const entriesOf = (archive: ArchivePlan, signature: string): Entry[] => [
    { name: `${archive.root}/proof.json`, bytes: Buffer.from(proofFile(archive.proof, signature)) },
    { name: `${archive.root}/identityDetails.json`, bytes: archive.identityDetails },
    { name: `${archive.root}/verificationAndEvaluationDetails.json`, bytes: archive.verificationAndEvaluationDetails },
    ...archive.media.map(({ path, reference }) => ({
      name: `${archive.root}/${path}`,
      bytes: media.get(reference.mediaId)!,
    })),
  ];
  const signature = signWith(privatePem, signedContent(plan.proof));
  return { plan, signature, entriesOf, entries: entriesOf(plan, signature) };
};

export const jws = (header: object, payload: string, signature: string): string =>
  [
    Buffer.from(JSON.stringify(header)).toString('base64url'),
    Buffer.from(payload).toString('base64url'),
    signature,
  ].join('.');
