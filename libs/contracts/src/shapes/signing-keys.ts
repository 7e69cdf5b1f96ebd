import { type Static, Type } from 'typebox';
import { DateTime, Exact } from './building-blocks.ts';

/**
 * Body of POST /internal/v1/signing-keys, gateway to proof-builder, and of the administrator's
 * request behind it.
 */
export const SigningKeyRotationSchema = Exact({
  atOnce: Type.Optional(
    Type.Boolean({
      description:
        'The new key signs at once and the private halves of all others are destroyed: after a leak. Otherwise it is published for SIGNING_KEY_OVERLAP_SECONDS before it signs',
    }),
  ),
});
export type SigningKeyRotation = Static<typeof SigningKeyRotationSchema>;

/** The keys that sign proofs and receipts, newest first. It never contains a private key. */
export const SigningKeysSchema = Type.Object({
  keys: Type.Array(
    Type.Object({
      kid: Type.String({ description: 'Thumbprint (RFC 7638), as in the JWKS' }),
      signs: Type.Boolean({ description: 'Whether it signs now' }),
      createdAt: Type.Optional(DateTime),
      signsFrom: Type.Optional(DateTime),
    }),
  ),
});
export type SigningKeysReply = Static<typeof SigningKeysSchema>;
