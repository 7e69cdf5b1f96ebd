import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { landmarkNet } from './landmark-net.ts';
import { ssdDetector } from './ssd-detector.ts';
import { tinyDetector } from './tiny-detector.ts';
import { readWeights } from './weights.ts';

/**
 * Converts the detector and landmark weights that ship in @vladmandic/face-api to ONNX: `npx tsx
 * convert.ts [FOLDER]`.
 */
const packaged = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')),
  'model',
);
const folder = process.argv[2] ?? path.resolve(import.meta.dirname, '..');
await mkdir(folder, { recursive: true });
await writeFile(
  path.join(folder, 'face-detector.onnx'),
  tinyDetector(await readWeights(packaged, 'tiny_face_detector_model')),
);
await writeFile(
  path.join(folder, 'face-landmarks.onnx'),
  landmarkNet(await readWeights(packaged, 'face_landmark_68_model')),
);
await writeFile(
  path.join(folder, 'face-detector-ssd.onnx'),
  ssdDetector(await readWeights(packaged, 'ssd_mobilenetv1_model')),
);
