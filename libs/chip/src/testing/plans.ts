import fc from 'fast-check';
import { DIGESTS } from '../keys/digests.ts';
import type { ChipPlan, KeyKind, Passport, SignatureForm } from '../software/index.ts';
import { planOf } from './chips.ts';

const letters = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: least, maxLength: most });
const day = (from: number, to: number) =>
  fc
    .date({ min: new Date(Date.UTC(from, 0, 1)), max: new Date(Date.UTC(to, 11, 28)), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

/** Any holder of a specimen passport. */
const anyPassport: fc.Arbitrary<Passport> = fc.record({
  documentNumber: fc.string({
    unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
    minLength: 5,
    maxLength: 9,
  }),
  surname: letters(1, 30),
  givenNames: fc.array(letters(1, 12), { minLength: 1, maxLength: 3 }).map((names) => names.join(' ')),
  dateOfBirth: day(1930, 2020),
  gender: fc.constantFrom('MALE', 'FEMALE', 'UNSPECIFIED'),
  dateOfExpiry: day(2027, 2036),
});

const CURVES = ['prime256v1', 'secp384r1', 'secp521r1', 'brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP320t1'];
const anyCurve = fc.record({ curve: fc.constantFrom(...CURVES), explicit: fc.boolean() });

const digest = fc.constantFrom(...DIGESTS);

/** A kind of key with a form of signature that fits it. */
const anySigner: fc.Arbitrary<{ signerKey: KeyKind; form: SignatureForm }> = fc.oneof(
  fc.record({ signerKey: anyCurve, form: fc.record({ digest }) }),
  fc.record({
    signerKey: fc.constant<KeyKind>('RSA-2048'),
    form: fc.record({ digest, padding: fc.constantFrom('PKCS1', 'PKCS1_WITHOUT_DIGEST', 'PSS') }),
  }),
);

const anyActive: fc.Arbitrary<Partial<ChipPlan>> = fc.oneof(
  fc.constant({ activeAuthentication: 'none' as const }),
  fc.record({
    activeAuthentication: fc.constant('RSA' as const),
    activeAuthenticationKey: fc.constantFrom<KeyKind>('RSA-1024', 'RSA-2048'),
    activeAuthenticationDigest: digest,
  }),
  fc.record({
    activeAuthentication: fc.constant('ECDSA' as const),
    activeAuthenticationKey: anyCurve,
    activeAuthenticationDigest: digest,
    activeAuthenticationEncoding: fc.constantFrom('ieee-p1363', 'der'),
  }),
);

const anyAgreement: fc.Arbitrary<Partial<ChipPlan>> = fc.oneof(
  fc.constant({ chipAuthentication: 'none' as const }),
  fc.record(
    {
      chipAuthentication: fc.constant('ECDH' as const),
      chipAuthenticationKey: fc.record({
        curve: fc.constantFrom(...CURVES, 'secp224r1', 'brainpoolP160r1'),
        explicit: fc.boolean(),
      }),
      chipAuthenticationCipher: fc.constantFrom<1 | 2 | 3 | 4 | 'none'>(1, 2, 3, 4, 'none'),
      chipAuthenticationKeyId: fc.integer({ min: 0, max: 40_000 }),
    },
    { requiredKeys: ['chipAuthentication', 'chipAuthenticationKey', 'chipAuthenticationCipher'] },
  ),
);

const anyForm: fc.Arbitrary<Partial<ChipPlan>> = fc.record(
  {
    passport: anyPassport,
    format: fc.constantFrom('TD1', 'TD2', 'TD3'),
    portraitEncoding: fc.constantFrom('19794', '39794'),
    dateForm: fc.constantFrom('ASCII', 'BCD'),
    dateOfIssue: day(2026, 2026).map((date) => (date > '2026-11-01' ? '2026-08-01' : date)),
    ldsDigest: digest,
    ldsVersion: fc.constantFrom<0 | 1>(0, 1),
    contentType: fc.constantFrom('2.23.136.1.1.1', '1.2.840.113549.1.7.1'),
    naming: fc.constantFrom('ISSUER_AND_SERIAL', 'ISSUER_REVERSED', 'KEY_ID'),
    ber: fc.boolean(),
    withoutIssuerKey: fc.boolean(),
  },
  { requiredKeys: ['passport'] },
);

/** Any sound chip: holder, keys, digests, encodings as issuers vary them. */
export const anyPlan: fc.Arbitrary<ChipPlan> = fc
  .tuple(anyForm, anySigner, anyActive, anyAgreement)
  .map((parts) => planOf(Object.assign({}, ...parts)));
