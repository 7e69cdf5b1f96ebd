import { refusalOf } from '../certificates/authority.ts';
import { type Certificate, certificateOf, signatureBy } from '../certificates/certificate.ts';
import { nameText } from '../certificates/name.ts';
import { type RevocationList, revocationListOf } from '../certificates/revocation-list.ts';
import { type Element, readDer } from '../der/read.ts';
import { TRUST_FILE } from '../der/read-limits.ts';
import { sequencesOf } from '../der/sequences.ts';
import { TAG } from '../der/write.ts';
import { attempt, beyondLimit, malformed } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { isLdif, readLdif } from './ldif.ts';
import { type MasterList, readMasterList } from './master-list.ts';
import type { TrustLevel } from './store.ts';

/** What an administrator's file contains, and which parts of it were refused. */
export interface TrustFile {
  readonly authorities: readonly { readonly certificate: Certificate; readonly level: TrustLevel }[];
  readonly signers: readonly Certificate[];
  readonly revocationLists: readonly RevocationList[];
  readonly masterLists: readonly MasterList[];
  readonly refused: readonly { readonly subject: string; readonly reason: string }[];
}

/** What a file is judged by. */
interface Known {
  readonly trusted: readonly Certificate[];
  readonly now: Date;
}

const EMPTY: TrustFile = { authorities: [], signers: [], revocationLists: [], masterLists: [], refused: [] };

const together = (files: readonly TrustFile[]): TrustFile => ({
  authorities: files.flatMap(({ authorities }) => authorities),
  signers: files.flatMap(({ signers }) => signers),
  revocationLists: files.flatMap(({ revocationLists }) => revocationLists),
  masterLists: files.flatMap(({ masterLists }) => masterLists),
  refused: files.flatMap(({ refused }) => refused),
});

const sorted = (certificates: readonly Certificate[], level: TrustLevel): TrustFile => {
  const checked = certificates.map((certificate) => ({ certificate, level, reason: refusalOf(certificate) }));
  return {
    ...EMPTY,
    authorities: checked
      .filter(({ reason }) => reason === undefined)
      .map(({ certificate }) => ({ certificate, level })),
    refused: checked.flatMap(({ certificate, reason }) =>
      reason ? [{ subject: nameText(certificate.subject), reason }] : [],
    ),
  };
};

const fromMasterList = (bytes: Uint8Array, known: Known): TrustFile => {
  const list = readMasterList(bytes, known.now, known.trusted);
  const beside = list.certificates.some(({ sha256 }) => sha256 === list.authority.sha256) ? [] : [list.authority];
  const file = sorted([...list.certificates, ...beside], 'MASTER_LIST');
  const refused = Array.from({ length: list.unreadable }, () => ({
    subject: 'unknown',
    reason: 'the certificate cannot be read',
  }));
  return { ...file, masterLists: [list], refused: [...file.refused, ...refused] };
};

/**
 * A certificate body begins with its version or serial number; a revocation list's with an
 * algorithm or a bare version before one.
 */
const isRevocationList = ({ children: [body] }: Element): boolean => {
  const [first, second] = body?.children ?? [];
  return (
    first?.tag === 0x30 ||
    (first?.tag === 0x02 &&
      second?.tag === 0x30 &&
      body?.children[2]?.tag === 0x30 &&
      [0x17, 0x18].includes(body?.children[3]?.tag ?? 0))
  );
};

const fromDer = (bytes: Uint8Array, known: Known, level: TrustLevel): TrustFile => {
  const element = readDer(bytes, TRUST_FILE);
  if (element.children[0]?.tag === 0x06) return fromMasterList(bytes, known);
  if (isRevocationList(element)) return { ...EMPTY, revocationLists: [revocationListOf(element)] };
  return sorted([certificateOf(element)], level);
};

/** What was read or, if that fails, one refusal: the other entries of the file are still of use. */
const orRefused = (subject: string, read: () => TrustFile): TrustFile => {
  const { value, error } = attempt(read);
  return value ?? { ...EMPTY, refused: [{ subject, reason: error?.message ?? '' }] };
};

const PEM = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----/g;

/** The entries of a file that may have several. The only one of a file is refused with the file. */
const fromEntries = (entries: readonly Buffer[], known: Known): TrustFile => {
  const [only, ...others] = entries;
  if (only === undefined) throw malformed('no certificate in the file');
  if (others.length === 0) return fromDer(only, known, 'SINGLE');
  return together(entries.map((entry) => orRefused('unknown', () => fromDer(entry, known, 'SINGLE'))));
};

const fromPem = (text: string, known: Known): TrustFile =>
  fromEntries(
    [...text.matchAll(PEM)].map(([, , base64 = '']) => Buffer.from(base64, 'base64')),
    known,
  );

/** The certificates of a directory, which holds authorities and document signers. */
const fromDirectoryCertificate = (der: Uint8Array): TrustFile => {
  const certificate = certificateOf(readDer(der));
  return certificate.isAuthority ? sorted([certificate], 'SINGLE') : { ...EMPTY, signers: [certificate] };
};

const fromDirectory = (text: string, known: Known): TrustFile => {
  const { masterLists, certificates, revocationLists } = readLdif(text);
  const found = together([
    ...masterLists.map((list) => orRefused('a master list', () => fromMasterList(list, known))),
    ...certificates.map((certificate) => orRefused('unknown', () => fromDirectoryCertificate(certificate))),
    ...revocationLists.map((list) => orRefused('a revocation list', () => fromDer(list, known, 'SINGLE'))),
  ]);
  if (found.authorities.length + found.signers.length + found.revocationLists.length + found.refused.length === 0)
    throw malformed('nothing in the LDIF is of use');
  return found;
};

/**
 * Leaves out the revocation lists that no known authority of their country signed. They would
 * revoke nothing, and every load of the store would try their signatures again.
 */
const withoutForeignLists = (file: TrustFile, trusted: readonly Certificate[]): TrustFile => {
  const authorities = [...trusted, ...file.authorities.map(({ certificate }) => certificate)];
  const isSigned = ({ issuer, authorityKeyId, signed }: RevocationList): boolean => {
    const ofCountry = authorities.filter(({ subject }) => subject.country === issuer.country);
    const isNamed = ({ subjectKeyId }: Certificate): boolean =>
      authorityKeyId !== undefined && subjectKeyId?.equals(authorityKeyId) === true;
    // Those that the list names come first: of a country there may be more than are tried.
    return [...ofCountry.filter(isNamed), ...ofCountry.filter((one) => !isNamed(one))]
      .slice(0, LIMITS.issuerAttempts)
      .some((authority) => signatureBy(signed, authority) === 'RIGHT');
  };
  const revocationLists = file.revocationLists.filter(isSigned);
  const signedLists = new Set(revocationLists);
  const refused = file.revocationLists
    .filter((list) => !signedLists.has(list))
    .map(({ issuer }) => ({
      subject: nameText(issuer),
      reason: 'no known authority of the country signed the revocation list: import its authority first',
    }));
  return { ...file, revocationLists, refused: [...file.refused, ...refused] };
};

/**
 * Reads a file from an administrator: a master list, an LDIF of the Public Key Directory, or a
 * certificate or revocation list in PEM or DER, or several of them one after the other. `trusted`
 * are the authorities already known; a list may be signed under one of them, and a revocation list
 * must be. `now` counts as the time of signing of a master list that states none. Each entry of
 * several is accepted or refused by itself. Throws a ChipError if the file is none of these, and
 * SIGNATURE_WRONG if a master list is not signed as it claims.
 */
export const readTrustFile = (bytes: Uint8Array, now: Date, trusted: readonly Certificate[] = []): TrustFile =>
  withoutForeignLists(readEntries(bytes, { trusted, now }), trusted);

const readEntries = (bytes: Uint8Array, known: Known): TrustFile => {
  if (bytes.length > LIMITS.trustFileBytes) throw beyondLimit(`more than ${LIMITS.trustFileBytes} bytes`);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file[0] === TAG.sequence) return fromEntries(sequencesOf(file), known);
  const text = file.toString('latin1');
  if (text.includes('-----BEGIN ')) return fromPem(text, known);
  if (isLdif(text)) return fromDirectory(text, known);
  throw malformed('the file is no master list, LDIF, certificate or revocation list');
};
