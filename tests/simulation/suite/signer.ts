import { createHash } from 'node:crypto';
import type { Signer } from '../../../services/proof-builder/src/domain/signer.ts';

/** A signer outside the service. The same content has the same signature, at no cost. */
export const simulatedSigner: Signer = {
  sign: async (content) => ({
    jws: `e30.${Buffer.from(content).toString('base64url')}.${createHash('sha256').update(content).digest('base64url')}`,
    kid: 'simulated',
  }),
  publicKeys: async () => [],
  list: async () => ({ keys: [{ kid: 'simulated', signs: true }] }),
  current: async () => ({ kid: 'simulated', publicPem: '' }),
};
