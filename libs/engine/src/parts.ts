/**
 * The parts of the engine, to run in this process: for benchmarks, which measure one part at a
 * time. This door loads nets and decoders.
 */
export { parseAamva } from './barcode/aamva.ts';
export { readLicenceBarcode, readPdf417 } from './barcode/read.ts';
export { otherPortrait } from './document-portrait.ts';
export { type FaceEngine, openFaceEngine } from './faces/face-engine.ts';
export { boxOnImage } from './faces/find.ts';
export { modelsFolder } from './folder.ts';
export { decodePage } from './image.ts';
export { readDocument } from './mirrored.ts';
export { readMrz } from './mrz/read.ts';
export { tracesOf } from './portrait/traces.ts';
export { openProcessPool, type ProcessPool } from './process-pool.ts';
export { outlineOf } from './quality/framing.ts';
export { measureImage } from './quality/measure.ts';
export { openReadingEngine, type ReadingEngine } from './reading-engine.ts';
export { indicatorsOf } from './rules/document-indicators.ts';
export * as qualityRules from './rules/quality-rules.ts';
export { substitutionIndicator } from './rules/substitution.ts';
