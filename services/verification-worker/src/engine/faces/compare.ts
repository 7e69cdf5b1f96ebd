import { MATCHING, MODEL, RECIPE } from '../../domain/face-thresholds.ts';
import { tenCropDescriptor, unpack } from './describe.ts';
import type { FaceNets } from './nets.ts';
import type { Comparison, FaceTemplate } from './template.ts';

/** Fused distance of two faces; inside the grey band the ten-crop descriptors decide. */
export async function compareFaces(nets: FaceNets, a: FaceTemplate, b: FaceTemplate): Promise<Comparison> {
  for (const { recipe } of [a, b])
    if (recipe !== RECIPE) throw new TypeError(`a template of recipe ${recipe} cannot be compared by ${RECIPE}`);
  const start = performance.now();
  const embeddings = euclidean(unpack(a.embedding), unpack(b.embedding));
  const quick = fused(euclidean(unpack(a.descriptor), unpack(b.descriptor)), embeddings);
  const refined = quick > MATCHING.refine.from && quick < MATCHING.refine.to;
  const distance = refined
    ? fused(euclidean(await tenCropDescriptor(nets, a), await tenCropDescriptor(nets, b)), embeddings)
    : quick;
  return { distance, model: MODEL, refined, responseTimeMs: Math.round(performance.now() - start) };
}

const fused = (descriptors: number, embeddings: number): number =>
  (descriptors + MATCHING.embeddingWeight * embeddings) / (1 + MATCHING.embeddingWeight);

function euclidean(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new TypeError('templates of different lengths');
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at]! - b[at]!) ** 2;
  return Math.sqrt(sum);
}
