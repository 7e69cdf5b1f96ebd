import {
  attempt,
  ChipError,
  type ChipEvidence,
  createTrustStore,
  type ImportedList,
  type MasterList,
  nameText,
  readTrustFile,
  reportOfTrust,
  type TrustData,
  type TrustStore,
  verifyChip,
} from '@assay/chip';
import { createPortraitDecoder, imageOf } from '@assay/chip/portrait';
import { present } from '@assay/contracts';
import { serve } from '@assay/engine';
import { plainImage } from '@assay/engine/plain-image';
import type { StoredTrust } from '../domain/trust.ts';
import type { ChipRequest, Decoding, PortraitOnChip, ReadTrustFile, SeenChip } from './chip-process.ts';

/** The program of the process that checks chips: it reads untrusted bytes, and holds no secret. */

let known: { version: number; trust: TrustStore } | undefined;
const decoder = createPortraitDecoder({ plain: plainImage });

const trustOf = (version: number, data: TrustData | undefined): TrustStore | undefined => {
  if (data) known = { version, trust: createTrustStore(data) };
  return known?.version === version ? known.trust : undefined;
};

/** An error of the decoder says nothing about the image. */
const decode = (bytes: Uint8Array): Promise<Decoding> =>
  decoder
    .decode(bytes)
    .then((portrait) => ({ bytes: portrait.bytes, isDecoded: true }))
    .catch((error: unknown) => (error instanceof ChipError ? ('UNREADABLE' as const) : ('FAILED' as const)));

/**
 * Whoever looks for the face decodes a JPEG anyway. Its size is read once more, from the picture as
 * a decoder sees it: another may stand in front, in what decoders leave out.
 */
const undecoded = (bytes: Uint8Array, file: Uint8Array | undefined): PortraitOnChip => {
  if (!imageOf(Buffer.from(plainImage(bytes)))) return 'UNREADABLE';
  const at = bytes.byteOffset - (file?.byteOffset ?? 0);
  const isPart = bytes.buffer === file?.buffer && at >= 0 && at + bytes.length <= file.length;
  return isPart ? { at, length: bytes.length } : { bytes, isDecoded: false };
};

const verify = async (evidence: Omit<ChipEvidence, 'trust'>, trust: TrustStore, wanted: boolean): Promise<SeenChip> => {
  const { portrait: found, signatureImage: _unused, ...verification } = verifyChip({ ...evidence, trust });
  if (!wanted || !found) return { verification };
  const isJpeg = found.type === 'image/jpeg';
  return {
    verification,
    portrait: isJpeg ? undecoded(found.bytes, evidence.dataGroups['2']) : await decode(found.bytes),
  };
};

const newestOf = (lists: readonly MasterList[]): ImportedList | undefined =>
  lists
    .flatMap(({ signedAt, authority: { subject, sha256 } }) =>
      signedAt ? [{ signedAt, signedUnder: { subject: nameText(subject), sha256 } }] : [],
    )
    .toSorted((a, b) => b.signedAt.getTime() - a.signedAt.getTime())[0];

const readTrust = (bytes: Uint8Array, trusted: TrustData, now: Date): ReadTrustFile => {
  const read = attempt(() =>
    readTrustFile(
      bytes,
      now,
      createTrustStore(trusted).certificates.map(({ certificate }) => certificate),
    ),
  );
  if (read.error) return { entries: [], refused: [], fault: read.error.message };
  const { authorities, signers, revocationLists, masterLists, refused } = read.value;
  const certificates = [
    ...authorities.map(({ certificate, level }) => ({ kind: 'AUTHORITY' as const, certificate, level })),
    ...signers.map((certificate) => ({ kind: 'SIGNER' as const, certificate, level: 'SINGLE' as const })),
  ];
  const entries: StoredTrust[] = [
    ...certificates.map(({ kind, certificate, level }) => ({
      sha256: certificate.sha256,
      kind,
      level,
      der: certificate.bytes,
      country: certificate.subject.country ?? '',
      subject: nameText(certificate.subject),
      serialNumber: certificate.serialNumber,
      notBefore: certificate.notBefore,
      notAfter: certificate.notAfter,
    })),
    ...revocationLists.map((list) => ({
      sha256: list.sha256,
      kind: 'REVOCATION_LIST' as const,
      level: 'SINGLE' as const,
      der: list.bytes,
      country: list.issuer.country ?? '',
      subject: nameText(list.issuer),
      notBefore: list.thisUpdate,
      ...present({ notAfter: list.nextUpdate }),
    })),
  ];
  return { entries, refused, ...present({ list: newestOf(masterLists) }) };
};

await serve<ChipRequest>(async () => async (request) => {
  if (request.kind === 'trustFile') return readTrust(request.file, request.trusted, request.now);
  if (request.kind === 'trustReport') {
    const { trusted, lists, now } = request;
    return reportOfTrust(createTrustStore(trusted), now, { lists });
  }
  if (request.kind === 'decode') return decode(request.portrait);
  const trust = trustOf(request.version, request.trust);
  return trust ? verify(request.evidence, trust, request.portrait) : 'TRUST_UNKNOWN';
});
