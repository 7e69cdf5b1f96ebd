import { sign } from 'node:crypto';
import { readDer } from '../der/read.ts';
import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { DIGEST_OIDS, hash } from '../keys/digests.ts';
import { SECURITY_OBJECT_TAG } from '../lds/files.ts';
import { algorithm, bitString, context, integer, octetString, sequence, set, time } from '../software/build.ts';
import { ldsObject } from '../software/data-groups.ts';
import { drawKey, type KeyPair } from '../software/keys.ts';

/** ECDSA with SHA-256. */
const ECDSA_SHA256 = algorithm('1.2.840.10045.4.3.2');
const LDS = '2.23.136.1.1.1';

/**
 * A certificate as issuers write it who do not follow the profile; everything has a usual value.
 */
export interface OddCertificate {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly key: KeyPair;
  readonly signedBy: KeyPair;
  /** The version's element; left out for none, as in the first X.509. */
  readonly version?: Buffer | 'none';
  /** The serial number's element. */
  readonly serial?: Buffer;
  readonly spki?: Buffer;
  readonly validity?: readonly [Buffer, Buffer];
  /** Extensions; left out for none. */
  readonly extensions?: readonly Buffer[];
}

/** An extension; `critical` as its element. */
export const extension = (oid: string, value: Buffer, critical: Buffer = Buffer.alloc(0)): Buffer =>
  sequence(encodeOid(oid), critical, octetString(value));

export const subjectKey = ({ keyId }: Pick<KeyPair, 'keyId'>): Buffer => extension('2.5.29.14', octetString(keyId));
export const authorityKey = (keyId: Uint8Array): Buffer => extension('2.5.29.35', sequence(encodeElement(0x80, keyId)));
/** Basic constraints that say so, in a boolean of BER. */
export const isAuthority: Buffer = extension('2.5.29.19', sequence(Buffer.from('010101', 'hex')));

export const years = [time(new Date('2020-01-01T00:00:00Z')), time(new Date('2045-01-01T00:00:00Z'))] as const;

/** Issues it, signed with ECDSA and SHA-256. */
export const oddCertificate = (plan: OddCertificate): Buffer => {
  const { version = context(0, integer(2)), serial = integer(0x1234), validity = years, extensions = [] } = plan;
  const body = sequence(
    version === 'none' ? Buffer.alloc(0) : version,
    serial,
    ECDSA_SHA256,
    plan.issuer,
    sequence(...validity),
    plan.subject,
    plan.spki ?? plan.key.spki,
    ...(extensions.length > 0 ? [context(3, sequence(...extensions))] : []),
  );
  return sequence(body, ECDSA_SHA256, bitString(sign('sha256', body, plan.signedBy.privateKey)));
};

/** How a security object departs from what is usual. */
export interface OddObject {
  readonly key: KeyPair;
  readonly certificate: Buffer;
  readonly dataGroups: ReadonlyMap<number, Buffer>;
  /** The LDS object, where it is to be another. */
  readonly content?: Buffer;
  readonly contentType?: string;
  readonly withoutAttributes?: boolean;
  /** Sent in the order that is not DER's; what is signed is in this one. */
  readonly reversedAttributes?: 'SIGNED_AS_SENT' | 'SIGNED_IN_ORDER';
  /** Sent with lengths that are longer than DER's; signed in DER. */
  readonly longLengths?: boolean;
  readonly signingTime?: Buffer;
  /** A second value of the attribute of this type. */
  readonly secondValue?: { readonly of: string; readonly value: Buffer };
  readonly digestAlgorithm?: Buffer;
  readonly signatureAlgorithm?: Buffer;
  readonly sign?: (bytes: Buffer) => Buffer;
  /** In place of the certificate alone. */
  readonly certificates?: readonly Buffer[];
  /** Signatures in front of the right one. */
  readonly otherSigners?: readonly Buffer[];
  /** What is between the certificates and the signers. */
  readonly revocations?: Buffer;
}

const attribute = (oid: string, ...values: Buffer[]): Buffer =>
  sequence(encodeOid(oid), encodeElement(TAG.set, ...values));

/** The same element with each length in three bytes. */
const withLongLengths = (bytes: Buffer): Buffer => {
  const { tag, constructed, content, children } = readDer(bytes);
  const inside = constructed ? Buffer.concat(children.map((child) => withLongLengths(child.bytes))) : content;
  return Buffer.concat([Buffer.from([tag, 0x82, inside.length >> 8, inside.length & 0xff]), inside]);
};

/** One signature, as it is in a security object. */
export const oddSigner = (plan: OddObject, content: Buffer): Buffer => {
  const { certificate, contentType = LDS, withoutAttributes, signingTime } = plan;
  const { digestAlgorithm = algorithm(DIGEST_OIDS.sha256), signatureAlgorithm = ECDSA_SHA256 } = plan;
  const { sign: signed = (bytes: Buffer) => sign('sha256', bytes, plan.key.privateKey) } = plan;
  const fields = readDer(certificate).children[0]!.children.slice(-10);
  const first = fields[0]!.tag === 0xa0 ? 1 : 0;
  const second = (type: string) => (plan.secondValue?.of === type ? [plan.secondValue.value] : []);
  const valued = (type: string, value: Buffer) => attribute(type, value, ...second(type));
  const each = [
    valued('1.2.840.113549.1.9.3', encodeOid(contentType)),
    valued('1.2.840.113549.1.9.4', octetString(hash('sha256', content))),
    ...(signingTime ? [valued('1.2.840.113549.1.9.5', signingTime)] : []),
  ];
  const inOrder = each.toSorted(Buffer.compare);
  const asSent = plan.reversedAttributes ? inOrder.toReversed() : inOrder;
  const asSigned = plan.reversedAttributes === 'SIGNED_IN_ORDER' ? inOrder : asSent;
  return sequence(
    integer(1),
    sequence(fields[first + 2]!.bytes, fields[first]!.bytes),
    digestAlgorithm,
    ...(withoutAttributes ? [] : [context(0, ...(plan.longLengths ? asSent.map(withLongLengths) : asSent))]),
    signatureAlgorithm,
    octetString(signed(withoutAttributes ? content : encodeElement(TAG.set, ...asSigned))),
  );
};

/** EF.SOD. */
export const oddObject = (plan: OddObject): Buffer => {
  const { dataGroups, contentType = LDS, certificates = [plan.certificate], otherSigners = [] } = plan;
  const content = plan.content ?? ldsObject(dataGroups, 'sha256', 0);
  const data = sequence(
    integer(3),
    set(algorithm(DIGEST_OIDS.sha256)),
    sequence(encodeOid(contentType), context(0, octetString(content))),
    ...(certificates.length > 0 ? [context(0, ...certificates)] : []),
    ...(plan.revocations ? [plan.revocations] : []),
    encodeElement(TAG.set, ...otherSigners, oddSigner(plan, content)),
  );
  return encodeElement(SECURITY_OBJECT_TAG, sequence(encodeOid('1.2.840.113549.1.7.2'), context(0, data)));
};

/** A key with its parameters spelled out, and what an issuer may do to them. */
export const spelledOut = (curve: string, change: (parts: Spelled) => Partial<Spelled>): KeyPair => {
  const key = drawKey({ curve, explicit: true });
  const [keyAlgorithm, bits] = readDer(key.spki).children;
  const [version, field, coefficients, base, order, cofactor] = keyAlgorithm!.children[1]!.children;
  const [a, b, seed] = coefficients!.children;
  const parts: Spelled = {
    version: version!.bytes,
    seed: seed?.bytes ?? Buffer.alloc(0),
    base: base!.content,
    cofactor: cofactor?.bytes ?? Buffer.alloc(0),
    point: bits!.content.subarray(1),
  };
  const changed = { ...parts, ...change(parts) };
  const parameters = sequence(
    changed.version,
    field!.bytes,
    sequence(a!.bytes, b!.bytes, changed.seed),
    octetString(changed.base),
    order!.bytes,
    changed.cofactor,
  );
  const spki = sequence(sequence(encodeOid('1.2.840.10045.2.1'), parameters), bitString(changed.point));
  return { ...key, spki };
};

interface Spelled {
  readonly version: Buffer;
  readonly seed: Buffer;
  readonly base: Buffer;
  readonly cofactor: Buffer;
  readonly point: Buffer;
}

/** A point in half its length: x, and which of the two y. */
export const compressed = (point: Buffer): Buffer =>
  Buffer.concat([Buffer.from([2 | (point.at(-1)! & 1)]), point.subarray(1, (point.length + 1) / 2)]);
