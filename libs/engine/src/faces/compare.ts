import { EMBEDDING_WEIGHT, MODEL, RECIPE } from '../rules/face-thresholds.ts';
import { unpack } from './describe.ts';
import type { Comparison, FaceTemplate } from './template.ts';

/** The fused distance of two faces. Throws TypeError if their templates have another recipe. */
export function compareFaces(a: FaceTemplate, b: FaceTemplate): Comparison {
  for (const { recipe } of [a, b]) {
    if (recipe !== RECIPE) throw new TypeError(`a template of recipe ${recipe} cannot be compared by ${RECIPE}`);
  }
  const start = performance.now();
  const descriptors = euclidean(unpack(a.descriptor), unpack(b.descriptor));
  const distance = fused(descriptors, euclidean(unpack(a.embedding), unpack(b.embedding)));
  return { distance, model: MODEL, responseTimeMs: Math.round(performance.now() - start) };
}

const fused = (descriptors: number, embeddings: number): number =>
  (descriptors + EMBEDDING_WEIGHT * embeddings) / (1 + EMBEDDING_WEIGHT);

function euclidean(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new TypeError('templates of different lengths');
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at]! - b[at]!) ** 2;
  return Math.sqrt(sum);
}
