import type { Certificate } from '../certificates/certificate.ts';
import { nameKey } from '../certificates/name.ts';
import type { Element } from '../der/read.ts';
import { octets, oidOf, timeOf } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { attempt, malformed } from '../errors.ts';
import { digestOf, hash } from '../keys/digests.ts';
import { schemeOf, signatureIsRight } from '../keys/signature.ts';
import { LIMITS } from '../limits.ts';
import type { SignedData, SignerInfo } from './signed-data.ts';

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';

/** The result for one signature: the certificate with which it is right, or why it is not right. */
export type SignatureCheck =
  | { readonly state: 'RIGHT'; readonly certificate: Certificate; readonly signingTime?: Date }
  | { readonly state: 'WRONG' | 'UNSUPPORTED'; readonly reason: string };

/**
 * The certificates that `sid` names. Issuers order the attributes of a name in different ways, so
 * the comparison ignores their order.
 */
const certificatesOfSigner = ({ id }: SignerInfo, certificates: readonly Certificate[]): Certificate[] => {
  if ('keyId' in id)
    return certificates
      .filter(({ subjectKeyId }) => subjectKeyId?.equals(id.keyId))
      .slice(0, LIMITS.certificatesOfOneSigner);
  const issuer = nameKey(id.issuer);
  return certificates
    .filter((certificate) => certificate.serialNumber === id.serialNumber && nameKey(certificate.issuer) === issuer)
    .slice(0, LIMITS.certificatesOfOneSigner);
};

/** RFC 5652, 11: each attribute that we read has exactly one value. */
const onlyValueOf = ({ attributes }: SignerInfo, type: string): Element | undefined => {
  const values = attributes.get(type)?.children ?? [];
  return values.length === 1 ? values[0] : undefined;
};

const digestIsRight = ({ content, contentType }: SignedData, signer: SignerInfo): boolean => {
  const stated = onlyValueOf(signer, MESSAGE_DIGEST);
  const statedType = onlyValueOf(signer, CONTENT_TYPE);
  const digest = digestOf(signer.digestAlgorithm, 'the digest of a signer');
  if (statedType === undefined || oidOf(statedType, 'the signed type of a content') !== contentType) return false;
  return stated !== undefined && octets(stated, 'the signed digest').equals(hash(digest, content));
};

/** An unreadable time counts as none: it does not change whether the signature is right. */
const signingTimeOf = (signer: SignerInfo): { signingTime?: Date } => {
  const stated = onlyValueOf(signer, SIGNING_TIME);
  const signingTime = attempt(() => timeOf(stated, 'the signing time')).value;
  return signingTime ? { signingTime } : {};
};

const checkUnder = (signer: SignerInfo, signed: readonly Buffer[], certificate: Certificate): SignatureCheck => {
  const known = attempt(() => ({
    scheme: schemeOf(signer.signatureAlgorithm, digestOf(signer.digestAlgorithm, 'the digest of a signer')),
    key: certificate.publicKey(),
    time: signingTimeOf(signer),
  }));
  if (known.error)
    return { state: known.error.code === 'UNSUPPORTED' ? 'UNSUPPORTED' : 'WRONG', reason: known.error.message };
  const { scheme, key, time } = known.value;
  if (!signed.some((bytes) => signatureIsRight(scheme, key, bytes, signer.signature)))
    return { state: 'WRONG', reason: 'the signature is wrong' };
  return { state: 'RIGHT', certificate, ...time };
};

/**
 * The bytes that may have been signed: the attributes if their digest is that of the content, or
 * the content itself if there are no attributes; otherwise an error that says why.
 */
const signedBytes = (data: SignedData, signer: SignerInfo): readonly Buffer[] => {
  if (signer.signedAttributes === undefined) {
    // RFC 5652, 5.3: attributes may be absent only if the content is plain data. An LDS object
    // cannot be mistaken for attributes: those are a set.
    if (data.content[0] !== TAG.sequence) throw malformed('a content without signed attributes is no sequence');
    return [data.content];
  }
  if (!digestIsRight(data, signer)) throw malformed('the signed digest is not that of the content');
  return signer.signedAttributes;
};

/**
 * Checks one signature over the signed attributes, and the digest of the content in them, with the
 * certificates that `sid` names.
 */
export const verifySigner = (
  data: SignedData,
  signer: SignerInfo,
  certificates: readonly Certificate[],
): SignatureCheck => {
  const signed = attempt(() => signedBytes(data, signer));
  if (signed.error)
    return { state: signed.error.code === 'UNSUPPORTED' ? 'UNSUPPORTED' : 'WRONG', reason: signed.error.message };
  const checks = certificatesOfSigner(signer, certificates).map((certificate) =>
    checkUnder(signer, signed.value, certificate),
  );
  return (
    checks.find(({ state }) => state === 'RIGHT') ??
    checks.find(({ state }) => state === 'UNSUPPORTED') ??
    checks[0] ?? {
      state: 'UNSUPPORTED',
      reason: `no certificate of the signer is known${data.unreadable > 0 ? '; one in the object cannot be read' : ''}`,
    }
  );
};
