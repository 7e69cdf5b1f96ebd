import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepareZXingModule } from 'zxing-wasm/reader';
import { modelsFolder } from './folder.ts';
import { type RecogniseLines, recogniserOver } from './mrz/recognise.ts';
import { type InferenceSession, openNet } from './onnxruntime.ts';
import { type Ocr, ocrOver } from './viz/ocr.ts';

/** The models for reading, loaded. There is one set in each engine process. */
export interface ReadingEngine {
  recogniseLines: RecogniseLines;
  ocr: Ocr;
  close: () => Promise<void>;
}

interface ReadingEngineOptions {
  /** The folder with the nets; by default the package's own `models` folder. */
  modelsDir?: string;
}

const SESSION: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  enableCpuMemArena: false,
  enableMemPattern: false,
};

/**
 * The detector's tensors are large and few. With an arena they are not requested from the system
 * for each page, which saves a twentieth of its time.
 */
const KEPT: InferenceSession.SessionOptions = { ...SESSION, enableCpuMemArena: true, enableMemPattern: true };

const asArrayBuffer = (buffer: Buffer): ArrayBuffer =>
  buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength) as ArrayBuffer;

/** Loads every reading model from disk, without network. It takes about 0.3 s and 250 MB. */
export const openReadingEngine = async (options: ReadingEngineOptions = {}): Promise<ReadingEngine> => {
  const require = createRequire(import.meta.url);
  const models = options.modelsDir ?? modelsFolder();
  const wasm = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary: asArrayBuffer(wasm) }, fireImmediately: true });
  const open = (file: string, options = SESSION) => openNet(join(models, file), options);
  const lines = await open('mrz-crnn.onnx');
  const detection = await open('text-detector.onnx', KEPT);
  const recognition = await open('text-recogniser.onnx');
  const alphabet = await readFile(join(models, 'text-alphabet.txt'), 'utf8');
  return {
    recogniseLines: recogniserOver(lines),
    ocr: ocrOver(detection, recognition, alphabet),
    close: async () => {
      await Promise.all([lines.release(), detection.release(), recognition.release()]);
    },
  };
};
