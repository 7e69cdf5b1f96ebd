import path from 'node:path';
import { type InferenceSession, openNet, Tensor } from '../onnxruntime.ts';

/** The five nets of the face engine. Inputs are planar RGB, 0 to 255; the nets normalise them. */
export interface FaceNets {
  /** Grid of 25 x cells x cells for a square of `size` pixels. */
  tiny(image: Float32Array, size: number): Promise<{ grid: Float32Array; cells: number }>;
  /** 512 x 512: box encodings and class logits, and their priors. */
  ssd(image: Float32Array): Promise<{ encodings: Float32Array; classes: Float32Array; priors: Float32Array }>;
  /** 112 x 112 each: 136 numbers a face. */
  landmarks(faces: Float32Array, count: number): Promise<Float32Array>;
  /** 150 x 150 each: 128 numbers a face. */
  descriptor(chips: Float32Array, count: number): Promise<Float32Array>;
  /** 224 x 224 each: 1024 numbers a face. */
  embedding(chips: Float32Array, count: number): Promise<Float32Array>;
}

/** One thread a net: an engine process uses one core. */
const OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // An arena would keep the largest shapes it ever had: a third of the process's memory, without a
  // gain in time.
  enableCpuMemArena: false,
  logSeverityLevel: 3,
};

export async function openNets(modelsFolder: string): Promise<FaceNets> {
  const open = (name: string) => openNet(path.join(modelsFolder, `${name}.onnx`), OPTIONS);
  const tiny = await open('face-detector');
  const ssd = await open('face-detector-ssd');
  const landmarks = await open('face-landmarks');
  const descriptor = await open('face-descriptor');
  const embedding = await open('face-embedding');
  return {
    tiny: async (image, size) => {
      const grid = await run(tiny, 'image', image, [1, 3, size, size], 'grid');
      return { grid, cells: Math.sqrt(grid.length / 25) };
    },
    ssd: async (image) => {
      const out = await ssd.run({ image: new Tensor('float32', image, [1, 3, 512, 512]) });
      return { encodings: floats(out.encodings), classes: floats(out.classes), priors: floats(out.priors) };
    },
    landmarks: (faces, count) => run(landmarks, 'face', faces, [count, 3, 112, 112], 'landmarks'),
    descriptor: (chips, count) => run(descriptor, 'input', chips, [count, 3, 150, 150], 'descriptor'),
    embedding: (chips, count) => run(embedding, 'input', chips, [count, 3, 224, 224], 'descriptor'),
  };
}

async function run(
  session: InferenceSession,
  input: string,
  data: Float32Array,
  shape: number[],
  output: string,
): Promise<Float32Array> {
  const out = await session.run({ [input]: new Tensor('float32', data, shape) });
  return floats(out[output]);
}

function floats(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new TypeError('the net gave no floats');
  return tensor.data;
}
