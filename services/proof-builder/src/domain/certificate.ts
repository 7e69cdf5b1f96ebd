import type { KeyObject } from 'node:crypto';

/*
 * Just enough DER (X.690) for a self-signed X.509 certificate around a signing key: some verifiers
 * want a certificate where a bare public key would do. It vouches for nothing; trust comes from
 * where it was fetched.
 */
const length = (bytes: number): Buffer => {
  if (bytes < 128) return Buffer.of(bytes);
  const hex = bytes.toString(16);
  const digits = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return Buffer.concat([Buffer.of(0x80 | digits.length), digits]);
};
const tagged = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag), length(body.length), body]);
};
const sequence = (...content: Buffer[]): Buffer => tagged(0x30, ...content);
const integer = (bytes: Buffer): Buffer =>
  tagged(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
// Years from 2050 on are GeneralizedTime, the others UTCTime (RFC 5280, 4.1.2.5).
const time = (at: Date): Buffer => {
  const digits = `${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
};

const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), tagged(0x05));
const commonName = (name: string): Buffer => sequence(tagged(0x31, sequence(oid('550403'), utf8(name))));
const criticalExtension = (id: string, value: Buffer): Buffer =>
  sequence(oid(id), tagged(0x01, Buffer.of(0xff)), tagged(0x04, value));

export interface CertificateInput {
  publicKey: KeyObject;
  name: string;
  /** At most 20 bytes, positive. */
  serial: Buffer;
  from: Date;
  to: Date;
  /** RSA with SHA-256 (PKCS #1 v1.5) over the given bytes. */
  sign: (bytes: Buffer) => Buffer;
}

/** A self-signed X.509 v3 certificate in PEM, for digital signatures only. */
export const selfSignedCertificate = ({ publicKey, name, serial, from, to, sign }: CertificateInput): string => {
  const noAuthority = criticalExtension('551d13', sequence());
  const digitalSignature = criticalExtension('551d0f', tagged(0x03, Buffer.of(7, 0x80)));
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(serial),
    SHA256_WITH_RSA,
    commonName(name),
    sequence(time(from), time(to)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(noAuthority, digitalSignature)),
  );
  const certificate = sequence(body, SHA256_WITH_RSA, tagged(0x03, Buffer.of(0), sign(body)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
};
