import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTrustStore, readTrustFile, type TrustStore } from '../index.ts';
import { NOW } from './chips.ts';

const FOLDER = join(import.meta.dirname, '../../test-data');

/** A file of the test data. */
export const sample = (file: string): Buffer => readFileSync(join(FOLDER, file));

/** A JSON file of the test data. */
export const sampleJson = <T>(file: string): T => JSON.parse(sample(file).toString('utf8')) as T;

/** One line of the index of the test data. */
export interface SampleEntry {
  readonly file: string | readonly string[];
  readonly kind: string;
  readonly country: string;
  readonly mrzIssuingState: string;
  readonly expected: { readonly signature?: boolean; readonly signerWith?: Readonly<Record<string, boolean>> };
  readonly dataGroupHashes: readonly number[];
  readonly digest: string;
  readonly signerValid: readonly string[];
}

/** The lines of the index that are of this kind. */
export const sampleEntries = (kind: string): SampleEntry[] =>
  sampleJson<SampleEntry[]>('index.json').filter((entry) => entry.kind === kind);

const stores = new Map<string, TrustStore>();

const readStore = (files: readonly string[]): TrustStore =>
  createTrustStore({
    certificates: files.flatMap((source) =>
      readTrustFile(sample(source), NOW).authorities.map(({ certificate, level }) => ({
        der: certificate.bytes,
        source,
        level,
      })),
    ),
  });

/** A trust store of these files, read once. */
export const trustOf = (...files: readonly string[]): TrustStore => {
  const name = files.join();
  const store = stores.get(name) ?? readStore(files);
  stores.set(name, store);
  return store;
};
