import { distinguishedName, integer } from '../software/build.ts';
import { createChip, drawKey } from '../software/index.ts';
import { authority, planOf } from './chips.ts';
import { authorityKey, isAuthority, type OddCertificate, oddCertificate, subjectKey } from './variants.ts';

/** The key and the name of an authority beside the profile of ICAO 9303. */
export const own = drawKey({ curve: 'prime256v1' });
export const NAME = distinguishedName('UT', 'Odd', 'Odd CSCA');

/** Its certificate. */
export const root = (changes: Partial<OddCertificate> = {}): Buffer =>
  oddCertificate({
    subject: NAME,
    issuer: NAME,
    serial: integer(1),
    key: own,
    signedBy: own,
    extensions: [isAuthority, subjectKey(own)],
    ...changes,
  });

/** The key of its signer. */
export const signerKey = drawKey({ curve: 'prime256v1' });

/** The certificate of its signer. */
export const signer = (changes: Partial<OddCertificate> = {}): Buffer =>
  oddCertificate({
    subject: distinguishedName('UT', 'Odd', 'Odd Signer'),
    issuer: NAME,
    key: signerKey,
    signedBy: own,
    extensions: [authorityKey(own.keyId)],
    ...changes,
  });

/** The data groups of a chip, for its security objects. */
export const dataGroups = new Map(
  Object.entries(createChip(authority, planOf()).dataGroups).map(([number, bytes]) => [Number(number), bytes]),
);
