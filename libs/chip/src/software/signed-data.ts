import { readDer } from '../der/read.ts';
import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { DIGEST_OIDS, hash } from '../keys/digests.ts';
import { algorithm, context, indefinite, integer, octetString, sequence, set, time } from './build.ts';
import { type KeyPair, type SignatureForm, signWith } from './keys.ts';

/**
 * How the signer is named: by its name as the certificate writes it, by its name with another order
 * of attributes, or by its key.
 */
export type SignerNaming = 'ISSUER_AND_SERIAL' | 'ISSUER_REVERSED' | 'KEY_ID';

/** What a new signed object says. */
export interface SignedPlan {
  readonly contentType: string;
  readonly content: Buffer;
  readonly certificate: Buffer;
  readonly otherCertificates?: readonly Buffer[];
  readonly signerKeyId: Buffer;
  readonly signedBy: KeyPair;
  readonly form: SignatureForm;
  readonly naming?: SignerNaming;
  readonly signingTime?: Date;
  /** Indefinite lengths, and the content in pieces. */
  readonly ber?: boolean;
  readonly withoutCertificate?: boolean;
}

const attribute = (oid: string, value: Buffer): Buffer => sequence(encodeOid(oid), set(value));

const attributesOf = ({ contentType, content, form, signingTime }: SignedPlan): Buffer[] => [
  attribute('1.2.840.113549.1.9.3', encodeOid(contentType)),
  attribute('1.2.840.113549.1.9.4', octetString(hash(form.digest, content))),
  ...(signingTime ? [attribute('1.2.840.113549.1.9.5', time(signingTime))] : []),
];

const signerIdOf = ({ certificate, naming = 'ISSUER_AND_SERIAL', signerKeyId }: SignedPlan): Buffer => {
  if (naming === 'KEY_ID') return encodeElement(0x80, signerKeyId);
  const [, serial, , issuer] = readDer(certificate).children[0]!.children;
  const attributes = issuer!.children.map(({ bytes }) => bytes);
  return sequence(sequence(...(naming === 'ISSUER_REVERSED' ? attributes.toReversed() : attributes)), serial!.bytes);
};

const inPieces = (content: Buffer): Buffer => {
  const half = Math.ceil(content.length / 2);
  return indefinite(
    TAG.octetString | 0x20,
    octetString(content.subarray(0, half)),
    octetString(content.subarray(half)),
  );
};

/** Signs a content and builds the signed object. */
export const signData = (plan: SignedPlan): Buffer => {
  const { contentType, content, certificate, otherCertificates = [], ber = false, withoutCertificate = false } = plan;
  const wrap = (tag: number, ...parts: readonly Uint8Array[]) =>
    ber ? indefinite(tag, ...parts) : encodeElement(tag, ...parts);
  const attributes = set(...attributesOf(plan));
  const signature = signWith(plan.signedBy, plan.form);
  const digestId = algorithm(DIGEST_OIDS[plan.form.digest]);
  const signed = Buffer.from(attributes);
  signed[0] = 0xa0;
  const version = plan.naming === 'KEY_ID' ? 3 : 1;
  const signer = sequence(
    integer(version),
    signerIdOf(plan),
    digestId,
    signed,
    signature.algorithm,
    octetString(signature.sign(attributes)),
  );
  const certificates = withoutCertificate ? [...otherCertificates] : [...otherCertificates, certificate];
  const data = wrap(
    TAG.sequence,
    integer(3),
    set(digestId),
    wrap(TAG.sequence, encodeOid(contentType), wrap(0xa0, ber ? inPieces(content) : octetString(content))),
    ...(certificates.length > 0 ? [context(0, ...certificates)] : []),
    set(signer),
  );
  return wrap(TAG.sequence, encodeOid('1.2.840.113549.1.7.2'), wrap(0xa0, data));
};
