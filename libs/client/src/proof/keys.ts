import { createHash, createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';
import { UnusableInput } from './report.ts';

/** A public key that a proof may have been signed with. */
export interface VerificationKey {
  kid: string;
  key: KeyObject;
}

const LEAST_BITS = 2048;

const thumbprint = (key: KeyObject): string => {
  const { n, e } = key.export({ format: 'jwk' });
  return createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
};

const verificationKey = (key: KeyObject): VerificationKey => {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < LEAST_BITS)
    throw new UnusableInput(`a key is not RSA of at least ${LEAST_BITS} bits`);
  return { kid: thumbprint(key), key };
};

const ofJwk = (jwk: JsonWebKey): VerificationKey[] =>
  // Only the public half is taken, and only of RSA keys: others cannot have signed a proof.
  jwk.kty === 'RSA'
    ? [verificationKey(createPublicKey({ key: { kty: 'RSA', n: jwk.n, e: jwk.e }, format: 'jwk' }))]
    : [];

const PUBLIC = /-----BEGIN (CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY)-----[^-]*-----END \1-----/g;

/** One after the other, as where former keys stand behind the current one. */
const ofPem = (text: string): VerificationKey[] => {
  const keys = [...text.matchAll(PUBLIC)].map(([block, label]) =>
    label === 'CERTIFICATE' ? new X509Certificate(block).publicKey : createPublicKey(block),
  );
  const rsa = keys.filter(({ asymmetricKeyType }) => asymmetricKeyType === 'rsa');
  if (rsa.length > 0) return rsa.map(verificationKey);
  return [verificationKey(keys[0] ?? createPublicKey(text))];
};

const ofText = (text: string): VerificationKey[] => {
  if (text.includes('BEGIN')) return ofPem(text);
  const parsed = JSON.parse(text) as { keys?: JsonWebKey[] } & JsonWebKey;
  return (parsed.keys ?? [parsed]).flatMap(ofJwk);
};

/**
 * Reads public keys from what services publish: a JWKS, a single JWK, or PEM with public keys and
 * certificates, several too.
 * @throws UnusableInput when it is none of them, or holds no RSA key of at least 2048 bits
 */
export const readKeys = (text: string): VerificationKey[] => {
  let keys: VerificationKey[];
  try {
    keys = ofText(text);
  } catch (error) {
    if (error instanceof UnusableInput) throw error;
    throw new UnusableInput('the keys are neither a JWKS nor a PEM');
  }
  if (keys.length === 0) throw new UnusableInput('there is no RSA key among the keys');
  return keys;
};
