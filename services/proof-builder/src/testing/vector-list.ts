import { archiveOf, envelopeOf } from './plan-of.ts';
import { chips } from './vector-chips.ts';
import { pack, parts, type Vector, type VectorInput } from './vector-parts.ts';
import { contradictory, unsigned } from './vector-signatures.ts';
import { structural } from './vector-structures.ts';

/** Every vector, good and broken. */
export const vectorsOf = async (input: VectorInput): Promise<Vector[]> => {
  const { plan, entries } = parts(input);
  const good = await archiveOf(input.flow, plan, input.privatePem);
  const accepted = (file: string, why: string, bytes: Buffer): Vector => ({ file, verdict: 'good', why, bytes });
  return [
    accepted('good.zip', 'the bare ZIP as the service wrote it', good),
    accepted('good.mime', 'the MIME envelope as it is retrieved', envelopeOf(plan, good)),
    accepted('good-compressed.zip', 'the same entries, compressed', await pack(entries, true)),
    accepted('good-reordered.zip', 'the same entries in another order', await pack([...entries].reverse())),
    ...(await structural(input, good)),
    ...(await unsigned(input)),
    ...(await contradictory(input)),
    ...(await chips(input)),
  ];
};
