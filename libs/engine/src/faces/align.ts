import { type Affine, type Point, similarity } from './geometry.ts';

/** dlib's mean face (Boost licence): landmarks 17 to 67 in a unit square. */
const MEAN_X = [
  0.000213256, 0.0752622, 0.18113, 0.29077, 0.393397, 0.586856, 0.689483, 0.799124, 0.904991, 0.98004, 0.490127,
  0.490127, 0.490127, 0.490127, 0.36688, 0.426036, 0.490127, 0.554217, 0.613373, 0.121737, 0.187122, 0.265825, 0.334606,
  0.260918, 0.182743, 0.645647, 0.714428, 0.793132, 0.858516, 0.79751, 0.719335, 0.254149, 0.340985, 0.428858, 0.490127,
  0.551395, 0.639268, 0.726104, 0.642159, 0.556721, 0.490127, 0.423532, 0.338094, 0.290379, 0.428096, 0.490127,
  0.552157, 0.689874, 0.553364, 0.490127, 0.42689,
];
const MEAN_Y = [
  0.106454, 0.038915, 0.0187482, 0.0344891, 0.0773906, 0.0773906, 0.0344891, 0.0187482, 0.038915, 0.106454, 0.203352,
  0.307009, 0.409805, 0.515625, 0.587326, 0.609345, 0.628106, 0.609345, 0.587326, 0.216423, 0.178758, 0.179852,
  0.231733, 0.245099, 0.244077, 0.231733, 0.179852, 0.178758, 0.216423, 0.244077, 0.245099, 0.780233, 0.745405,
  0.727388, 0.742578, 0.727388, 0.745405, 0.780233, 0.864805, 0.902192, 0.909281, 0.902192, 0.864805, 0.784792,
  0.778746, 0.785343, 0.778746, 0.784792, 0.824182, 0.831803, 0.824182,
];

/**
 * Nose, eyes and upper lip, which move least. Jaw, brows and lower lip move with pose and speech.
 */
const STEADY = Array.from({ length: 68 }, (_, index) => index).filter(
  (index) => index >= 27 && index <= 64 && (index < 55 || index > 59),
);

/**
 * A square picture of a face: its size in pixels, and the margin on each side of the unit square of
 * the mean face.
 */
export interface ChipShape {
  size: number;
  padding: number;
}

export const DESCRIPTOR_CHIP: ChipShape = { size: 150, padding: 0.25 };
export const EMBEDDING_CHIP: ChipShape = { size: 224, padding: 0.4 };

/** From the pixels of an aligned face to the pixels in which the landmarks are given. */
export function chipTransform(landmarks: readonly Point[], { size, padding }: ChipShape): Affine {
  const place = (value: number | undefined) => ((padding + (value ?? 0)) / (2 * padding + 1)) * size;
  const template = STEADY.map((index): Point => [place(MEAN_X[index - 17]), place(MEAN_Y[index - 17])]);
  const seen = STEADY.map((index): Point => landmarks[index] ?? [0, 0]);
  return similarity(template, seen);
}

/**
 * An aligned face, turned by `degrees` and enlarged by `zoom` about its middle, in its own pixels.
 */
export function aboutMiddle({ size }: ChipShape, degrees: number, zoom: number): Affine {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) * zoom, Math.sin(angle) * zoom];
  const middle = size / 2;
  return [cos, -sin, middle - cos * middle + sin * middle, sin, cos, middle - sin * middle - cos * middle];
}
