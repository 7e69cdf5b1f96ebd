import sharp from 'sharp';
import { RECIPE } from '../../domain/face-thresholds.ts';
import type { Rgb } from '../raster.ts';
import { type ChipShape, chipToChip, chipTransform, DESCRIPTOR_CHIP, EMBEDDING_CHIP, STORED_CHIP } from './align.ts';
import { type Face, toImage } from './find.ts';
import type { FaceNets } from './nets.ts';
import { mirrored, planar, sample } from './sample.ts';
import type { FaceTemplate } from './template.ts';

/** Both nets on the aligned face and its mirror image, averaged, with the crop that a closer comparison would need. */
export async function describeFace(nets: FaceNets, face: Face): Promise<FaceTemplate> {
  const chip = (shape: ChipShape) =>
    sample(face.view.image, toImage(face, chipTransform(face.landmarks, shape)), shape.size, shape.size);
  const descriptors = await nets.descriptor(withMirror([chip(DESCRIPTOR_CHIP)]), 2);
  const embeddings = await nets.embedding(withMirror([chip(EMBEDDING_CHIP)]), 2);
  const stored = chip(STORED_CHIP);
  const jpeg = await sharp(stored.data, { raw: { width: stored.width, height: stored.height, channels: 3 } })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return {
    recipe: RECIPE,
    descriptor: pack(mean(rows(descriptors, 2))),
    embedding: pack(unit(mean(rows(embeddings, 2).map(unit)))),
    chip: jpeg.toString('base64'),
    faceWidth: Math.round(face.box.width),
  };
}

const CROPS: readonly { degrees: number; zoom: number }[] = [
  { degrees: 0, zoom: 1 },
  { degrees: 4, zoom: 1 },
  { degrees: -4, zoom: 1 },
  { degrees: 0, zoom: 1.08 },
  { degrees: 0, zoom: 0.93 },
];

/** The descriptor averaged over five crops and their mirror images: steadier, five times dearer. */
export async function tenCropDescriptor(nets: FaceNets, template: FaceTemplate): Promise<Float32Array> {
  const { data, info } = await sharp(Buffer.from(template.chip, 'base64')).raw().toBuffer({ resolveWithObject: true });
  const stored: Rgb = { width: info.width, height: info.height, data };
  const crops = CROPS.map(({ degrees, zoom }) =>
    sample(stored, chipToChip(DESCRIPTOR_CHIP, STORED_CHIP, degrees, zoom), DESCRIPTOR_CHIP.size, DESCRIPTOR_CHIP.size),
  );
  const descriptors = await nets.descriptor(withMirror(crops), CROPS.length * 2);
  return mean(rows(descriptors, CROPS.length * 2));
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
