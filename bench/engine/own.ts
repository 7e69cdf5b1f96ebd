import { readFile } from 'node:fs/promises';
import { todayAt } from '@assay/contracts';
import {
  decodePage,
  type FaceEngine,
  modelsFolder,
  openFaceEngine,
  openReadingEngine,
  parseAamva,
  type ReadingEngine,
  readLicenceBarcode,
  readMrz,
  readPdf417,
} from '@assay/engine/parts';
import { type Entry, type Kind, type Score, scoreMrz, scorePair, scoreText } from './set.ts';
import { FACES } from './thresholds.ts';

export type Runner = (entry: Entry, paths: string[]) => Promise<Score>;

const NOTHING: Score = { right: false, falseValid: false };
const page = async (path: string) => decodePage(await readFile(path));

const mrzRunner =
  (engine: ReadingEngine): Runner =>
  async (entry, [path]) => {
    const today = todayAt(new Date());
    const reading = await readMrz(await page(path!), engine.recogniseLines, { today: today.latest, search: 'all' });
    return scoreMrz(entry, reading?.lines, reading?.valid ?? false);
  };

const barcodeRunner: Runner = async (entry, [path]) => {
  const image = await page(path!);
  const found = entry.kind === 'pdf417' ? await readPdf417(image) : await readLicenceBarcode(image);
  return scoreText(entry, found?.text);
};

/** Expected are elements by their id, and the header's `iin` and `version`. */
const aamvaRunner: Runner = async ({ expected }, [path]) => {
  const licence = parseAamva(await readFile(path!, 'utf8'));
  if (!licence || !expected) return NOTHING;
  const seen: Record<string, string | undefined> = {
    ...licence.elements,
    iin: licence.iin,
    version: String(licence.version).padStart(2, '0'),
  };
  const right = Object.entries(expected).every(([id, value]) => seen[id] === value);
  return { right, falseValid: !right };
};

const largestFace = async (faces: FaceEngine, path: string, onDocument: boolean) => {
  const image = await page(path);
  const found = onDocument ? await faces.findOnDocument(image) : await faces.findFaces(image);
  return found[0] && faces.describeFace(found[0]);
};

const pairRunner =
  (faces: FaceEngine): Runner =>
  async (entry, [first, second]) => {
    const onDocument = entry.kind === 'document-portrait-pair';
    const a = await largestFace(faces, first!, onDocument);
    const b = await largestFace(faces, second!, onDocument);
    if (!a || !b) return scorePair(entry, undefined);
    const { distance } = await faces.compareFaces(a, b);
    const limit = onDocument ? FACES.match : FACES.matchWithoutReview;
    const decision = distance <= limit ? 'matched' : distance <= FACES.refuse ? 'undecided' : 'refused';
    return scorePair(entry, decision);
  };

/** How this engine does each kind, from the bytes of the file on; models are loaded before. */
export const ownRunners = async (): Promise<Record<Kind, Runner>> => {
  const engine = await openReadingEngine();
  const faces = await openFaceEngine(modelsFolder());
  const mrz = mrzRunner(engine);
  const pair = pairRunner(faces);
  return {
    mrz,
    'mrz-negative': mrz,
    pdf417: barcodeRunner,
    'pdf417-aamva': barcodeRunner,
    'aamva-text': aamvaRunner,
    'face-pair': pair,
    'document-portrait-pair': pair,
  };
};
