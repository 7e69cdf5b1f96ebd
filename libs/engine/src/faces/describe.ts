import type { Rgb } from '../raster.ts';
import { RECIPE } from '../rules/face-thresholds.ts';
import { aboutMiddle, type ChipShape, chipTransform, DESCRIPTOR_CHIP, EMBEDDING_CHIP } from './align.ts';
import { type Face, toImage } from './find.ts';
import { compose } from './geometry.ts';
import type { FaceNets } from './nets.ts';
import { mirrored, planar, sampleEach } from './sample.ts';
import type { FaceTemplate } from './template.ts';

interface CropView {
  degrees: number;
  zoom: number;
}

/**
 * The turns and sizes of the crops whose descriptors are averaged. The mean is steadier than one
 * crop if the landmarks are slightly off.
 */
const CROPS: readonly CropView[] = [
  { degrees: 0, zoom: 1 },
  { degrees: 4, zoom: 1 },
  { degrees: -4, zoom: 1 },
  { degrees: 0, zoom: 1.08 },
  { degrees: 0, zoom: 0.93 },
];

/**
 * The vectors of both nets for an aligned face: dlib's from five crops and their mirror images,
 * faceres's from one and its mirror image. All are made now, not only if a distance is unclear: so
 * a comparison needs neither nets nor a picture of the face.
 */
export async function describeFace(nets: FaceNets, face: Face): Promise<FaceTemplate> {
  const chips = (shape: ChipShape, views: readonly CropView[]) => {
    const upright = chipTransform(face.landmarks, shape);
    const turned = views.map(({ degrees, zoom }) => toImage(face, compose(upright, aboutMiddle(shape, degrees, zoom))));
    return sampleEach(face.view.image, turned, shape.size, shape.size);
  };
  const crops = chips(DESCRIPTOR_CHIP, CROPS);
  const descriptors = await nets.descriptor(withMirror(crops), 2 * crops.length);
  const embeddings = await nets.embedding(withMirror(chips(EMBEDDING_CHIP, [{ degrees: 0, zoom: 1 }])), 2);
  return {
    recipe: RECIPE,
    descriptor: pack(mean(rows(descriptors, 2 * crops.length))),
    embedding: pack(unit(mean(rows(embeddings, 2).map(unit)))),
    faceWidth: Math.round(face.box.width),
  };
}

const withMirror = (chips: Rgb[]): Float32Array => planar(chips.flatMap((chip) => [chip, mirrored(chip)]));

const rows = (values: Float32Array, count: number): Float32Array[] =>
  Array.from({ length: count }, (_, row) =>
    values.subarray((row * values.length) / count, ((row + 1) * values.length) / count),
  );

function mean(vectors: Float32Array[]): Float32Array {
  const out = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let at = 0; at < out.length; at++) out[at]! += vector[at]! / vectors.length;
  return out;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / length);
}

const pack = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

/** The vector of a template's field. */
export function unpack(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
