import {
  attempt,
  type Certificate,
  createTrustStore,
  readTrustFile,
  type TrustFile,
  type TrustStore,
} from '@assay/chip';
import { UnusableInput } from '../proof/report.ts';

/** A file of authorities, and what it is called. */
export interface NamedTrustFile {
  name: string;
  bytes: Uint8Array;
}

const read = ({ name, bytes }: NamedTrustFile, now: Date, trusted: readonly Certificate[]): TrustFile => {
  const file = attempt(() => readTrustFile(bytes, now, trusted));
  if (file.error) throw new UnusableInput(`${name} cannot be trusted: ${file.error.message}`);
  return file.value;
};

/**
 * Whom to trust for chips: master lists, LDIF of the Public Key Directory, certificates and
 * revocation lists, in any order of dependence: a file may rest on an authority of the files before
 * it. `now` counts as the time of signing of a master list that states none.
 * @throws UnusableInput when a file is none of these, or a master list is not signed as it claims,
 * or there is no authority in any
 */
export const trustOf = (files: readonly NamedTrustFile[], now: Date = new Date()): TrustStore => {
  const all: (TrustFile & { name: string })[] = [];
  for (const file of files) {
    const trusted = all.flatMap(({ authorities }) => authorities.map(({ certificate }) => certificate));
    all.push({ name: file.name, ...read(file, now, trusted) });
  }
  if (all.every(({ authorities }) => authorities.length === 0))
    throw new UnusableInput('there is no authority to verify chips with');
  return createTrustStore({
    certificates: all.flatMap(({ name, authorities }) =>
      authorities.map(({ certificate, level }) => ({ der: certificate.bytes, source: name, level })),
    ),
    revocationLists: all.flatMap(({ revocationLists }) => revocationLists.map(({ bytes }) => bytes)),
    signers: all.flatMap(({ signers }) => signers.map(({ bytes }) => bytes)),
  });
};
