import { createHash } from 'node:crypto';
import { type Element, readDer, TRUST_FILE } from '../der/read.ts';
import { childAt, expectTag, integerBytes, timeOf } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { type Signed, signedOf } from './certificate.ts';
import { extensionsOf } from './extensions.ts';
import { type Name, nameOf } from './name.ts';

/** A certificate revocation list. */
export interface RevocationList {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly issuer: Name;
  readonly authorityKeyId?: Buffer;
  readonly thisUpdate: Date;
  readonly nextUpdate?: Date;
  /** Serial numbers in hexadecimal, without zeros in front. */
  readonly revoked: ReadonlySet<string>;
  readonly signed: Signed;
}

const isTime = (element: Element | undefined): boolean =>
  element?.tag === TAG.utcTime || element?.tag === TAG.generalizedTime;

const serialsOf = (list: Element | undefined): Set<string> =>
  new Set(
    (list?.children ?? []).map((entry) => integerBytes(entry.children[0], 'a revoked serial number').toString('hex')),
  );

/** Reads a revocation list from its element. */
export const revocationListOf = (element: Element): RevocationList => {
  const body = childAt(expectTag(element, TAG.sequence, 'a revocation list'), 0, TAG.sequence, 'a revocation list');
  const first = body.children[0]?.tag === TAG.integer ? 1 : 0;
  const next = isTime(body.children[first + 3]) ? body.children[first + 3] : undefined;
  const { authorityKeyId } = extensionsOf(body.children.find(({ tag }) => tag === 0xa0)?.children[0]);
  const entries = body.children[first + (next ? 4 : 3)];
  return {
    bytes: element.bytes,
    sha256: createHash('sha256').update(element.bytes).digest('hex'),
    issuer: nameOf(childAt(body, first + 1, TAG.sequence, 'the issuer of a revocation list')),
    thisUpdate: timeOf(body.children[first + 2], 'the date of a revocation list'),
    ...(next ? { nextUpdate: timeOf(next, 'the next date of a revocation list') } : {}),
    ...(authorityKeyId ? { authorityKeyId } : {}),
    revoked: serialsOf(entries?.tag === TAG.sequence ? entries : undefined),
    signed: signedOf(element, 'a revocation list'),
  };
};

/** Reads a revocation list in DER. */
export const readRevocationList = (der: Uint8Array): RevocationList => revocationListOf(readDer(der, TRUST_FILE));
