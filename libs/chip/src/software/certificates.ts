import { randomBytes } from 'node:crypto';
import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { bitString, context, integer, octetString, sequence, time } from './build.ts';
import { type KeyPair, type SignatureForm, signWith } from './keys.ts';

/**
 * What a new certificate says. If the issuer's key is left out, the certificate has no key
 * identifier of its issuer.
 */
export interface CertificatePlan {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly key: KeyPair;
  readonly signedBy: KeyPair;
  readonly form: SignatureForm;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly role: 'AUTHORITY' | 'SIGNER' | 'LIST_SIGNER';
  readonly serialNumber?: Uint8Array;
  readonly withoutIssuerKey?: boolean;
}

const CRITICAL = encodeElement(TAG.boolean, Buffer.from([0xff]));

const extension = (oid: string, value: Uint8Array, critical = false): Buffer =>
  sequence(encodeOid(oid), critical ? CRITICAL : Buffer.alloc(0), octetString(value));

const keyUsage = (unused: number, bits: number): Buffer =>
  extension('2.5.29.15', encodeElement(TAG.bitString, Buffer.from([unused, bits])), true);

const extensionsOf = ({ role, key, signedBy, withoutIssuerKey }: CertificatePlan): Buffer[] => [
  ...(role === 'AUTHORITY'
    ? [extension('2.5.29.19', sequence(CRITICAL, integer(0)), true), keyUsage(1, 0x06)]
    : [keyUsage(7, 0x80)]),
  ...(role === 'LIST_SIGNER' ? [extension('2.5.29.37', sequence(encodeOid('2.23.136.1.1.3')), true)] : []),
  extension('2.5.29.14', octetString(key.keyId)),
  ...(withoutIssuerKey ? [] : [extension('2.5.29.35', sequence(encodeElement(0x80, signedBy.keyId)))]),
];

/** A serial number that no other certificate has. */
export const newSerialNumber = (): Buffer => Buffer.concat([Buffer.from([0x11]), randomBytes(7)]);

/** SEQUENCE { content, algorithm, signature }. */
const signedSequence = (content: Buffer, key: KeyPair, form: SignatureForm): Buffer => {
  const signature = signWith(key, form);
  return sequence(content, signature.algorithm, bitString(signature.sign(content)));
};

/** Issues a certificate. */
export const issueCertificate = (plan: CertificatePlan): Buffer => {
  const body = sequence(
    context(0, integer(2)),
    integer(plan.serialNumber ?? newSerialNumber()),
    signWith(plan.signedBy, plan.form).algorithm,
    plan.issuer,
    sequence(time(plan.notBefore), time(plan.notAfter)),
    plan.subject,
    plan.key.spki,
    context(3, sequence(...extensionsOf(plan))),
  );
  return signedSequence(body, plan.signedBy, plan.form);
};

/** What a new revocation list says. */
export interface RevocationPlan {
  readonly issuer: Buffer;
  readonly signedBy: KeyPair;
  readonly form: SignatureForm;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly serialNumbers: readonly Uint8Array[];
}

/** Issues a revocation list. */
export const issueRevocationList = (plan: RevocationPlan): Buffer => {
  const entries = plan.serialNumbers.map((serial) => sequence(integer(serial), time(plan.thisUpdate)));
  const body = sequence(
    integer(1),
    signWith(plan.signedBy, plan.form).algorithm,
    plan.issuer,
    time(plan.thisUpdate),
    time(plan.nextUpdate),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    context(
      0,
      sequence(
        extension('2.5.29.35', sequence(encodeElement(0x80, plan.signedBy.keyId))),
        extension('2.5.29.20', integer(1)),
      ),
    ),
  );
  return signedSequence(body, plan.signedBy, plan.form);
};
