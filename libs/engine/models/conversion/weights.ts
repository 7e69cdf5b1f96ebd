import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface Weight {
  shape: number[];
  values: Float32Array;
}

interface Manifest {
  weights: {
    name: string;
    shape: number[];
    dtype: string;
    quantization?: { dtype: string; scale: number; min: number };
  }[];
}

/**
 * Weights as tensorflow.js stores them: one manifest, one file, most tensors quantised to a byte.
 */
export async function readWeights(folder: string, name: string): Promise<Map<string, Weight>> {
  const manifests = JSON.parse(
    await readFile(path.join(folder, `${name}-weights_manifest.json`), 'utf8'),
  ) as Manifest[];
  const file = await readFile(path.join(folder, `${name}.bin`));
  const weights = new Map<string, Weight>();
  let at = 0;
  for (const { name: id, shape, quantization } of manifests.flatMap((manifest) => manifest.weights)) {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = new Float32Array(count);
    for (let index = 0; index < count; index++) {
      if (quantization) values[index] = Math.fround(file.readUInt8(at + index) * quantization.scale + quantization.min);
      else values[index] = file.readFloatLE(at + index * 4);
    }
    at += quantization ? count : count * 4;
    weights.set(id, { shape, values });
  }
  if (at !== file.length) throw new Error(`${name}: ${file.length - at} bytes are left over`);
  return weights;
}

/** Filters from (height, width, in, out) to (out, in, height, width). */
export function filters({ shape, values }: Weight): Weight {
  const [height = 1, width = 1, from = 1, to = 1] = shape;
  const out = new Float32Array(values.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let i = 0; i < from; i++)
        for (let o = 0; o < to; o++)
          out[((o * from + i) * height + y) * width + x] = values[((y * width + x) * from + i) * to + o] ?? 0;
  return { shape: [to, from, height, width], values: out };
}

/** Depthwise filters from (height, width, channels, 1) to (channels, 1, height, width). */
export const depthwise = (weight: Weight): Weight => {
  const [height = 1, width = 1, channels = 1] = weight.shape;
  return filters({ shape: [height, width, 1, channels], values: weight.values });
};
