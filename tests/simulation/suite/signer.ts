import { createHash } from 'node:crypto';
import type { Signer } from '../../../services/proof-builder/src/domain/signer.ts';

/**
 * A signer that is not this service: the same content has the same signature, and costs nothing.
 */
export const simulatedSigner: Signer = {
  sign: async (content) => ({
    jws: `e30.${Buffer.from(content).toString('base64url')}.${createHash('sha256').update(content).digest('base64url')}`,
    kid: 'simulated',
  }),
  publicKeys: async () => [],
  list: async () => ({ keys: [{ kid: 'simulated', signs: true }] }),
  current: async () => ({ kid: 'simulated', publicPem: '' }),
};
