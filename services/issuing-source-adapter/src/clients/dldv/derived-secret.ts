import { createHmac } from 'node:crypto';

const SECRET_BYTES = 32;

const hmac = (secret: Buffer, data: Buffer): Buffer => createHmac('sha1', secret).update(data).digest();

/** P_SHA-1 of RFC 2246, as WS-Trust derives a shared secret from the entropies of both sides. */
export const derivedSecret = (secret: Buffer, seed: Buffer): Buffer => {
  let output = Buffer.alloc(0);
  for (let step = hmac(secret, seed); output.length < SECRET_BYTES; step = hmac(secret, step))
    output = Buffer.concat([output, hmac(secret, Buffer.concat([step, seed]))]);
  return output.subarray(0, SECRET_BYTES);
};
