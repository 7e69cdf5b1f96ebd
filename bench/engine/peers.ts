import { spawnSync } from 'node:child_process';
import {
  type Entry,
  KINDS,
  type Kind,
  type KindResult,
  nameOf,
  pathsOf,
  scoreMrz,
  scorePair,
  scoreText,
  summarise,
  type Timed,
} from './set.ts';

/**
 * A peer prints one JSON array: for each task what it read and how long that took; import time is
 * not counted.
 */
interface PeerAnswer {
  lines?: string[] | null;
  valid?: boolean;
  text?: string | null;
  distance?: number | null;
  ms: number;
}

interface Peer {
  name: string;
  module: string;
  kinds: readonly Kind[];
  program: string;
  score: (entry: Entry, answer: PeerAnswer) => { right: boolean; falseValid: boolean };
}

const HEAD = `
import json, sys, time
tasks = json.load(sys.stdin)
def run(work):
    answers = []
    for paths in tasks:
        start = time.perf_counter()
        try:
            answer = work(paths)
        except Exception:
            answer = {}
        answer['ms'] = (time.perf_counter() - start) * 1000
        answers.append(answer)
    print(json.dumps(answers))
`;

const PASSPORT_EYE = `${HEAD}
from passporteye import read_mrz
def work(paths):
    mrz = read_mrz(paths[0])
    if mrz is None:
        return {}
    text = (mrz.aux.get('text') or mrz.aux.get('raw_text') or '').split('\\n')
    return {'lines': [line.replace(' ', '') for line in text if line.strip()], 'valid': bool(mrz.valid)}
run(work)
`;

const ZXING_CPP = `${HEAD}
import zxingcpp
from PIL import Image
def work(paths):
    found = zxingcpp.read_barcodes(Image.open(paths[0]).convert('RGB'), formats=zxingcpp.BarcodeFormat.PDF417)
    return {'text': found[0].text if found else None}
run(work)
`;

const DLIB = `${HEAD}
import face_recognition
def work(paths):
    described = []
    for path in paths:
        image = face_recognition.load_image_file(path)
        boxes = face_recognition.face_locations(image)
        if not boxes:
            return {'distance': None}
        largest = max(boxes, key=lambda box: (box[2] - box[0]) * (box[1] - box[3]))
        described.append(face_recognition.face_encodings(image, [largest])[0])
    return {'distance': float(face_recognition.face_distance([described[0]], described[1])[0])}
run(work)
`;

const DLIB_TOLERANCE = 0.6;

const PEERS: readonly Peer[] = [
  {
    name: 'PassportEye',
    module: 'passporteye',
    kinds: ['mrz', 'mrz-negative'],
    program: PASSPORT_EYE,
    score: (entry, { lines, valid }) => scoreMrz(entry, lines ?? undefined, valid ?? false),
  },
  {
    name: 'zxing-cpp',
    module: 'zxingcpp',
    kinds: ['pdf417', 'pdf417-aamva'],
    program: ZXING_CPP,
    score: (entry, { text }) => scoreText(entry, text ?? undefined),
  },
  {
    name: 'face_recognition',
    module: 'face_recognition',
    kinds: ['face-pair', 'document-portrait-pair'],
    program: DLIB,
    score: (entry, { distance }) => {
      const decision = distance == null ? undefined : distance <= DLIB_TOLERANCE ? 'matched' : 'refused';
      return scorePair(entry, decision);
    },
  },
];

const python = (program: string, input: string) =>
  spawnSync('python3', ['-c', program], { input, encoding: 'utf8', maxBuffer: 1 << 28 });

const isInstalled = ({ module }: Peer): boolean => python(`import ${module}`, '').status === 0;

const runPeer = (peer: Peer, folder: string, entries: readonly Entry[]): Timed[] => {
  const tasks = entries.map((entry) => pathsOf(folder, entry));
  const { stdout, status } = python(peer.program, JSON.stringify(tasks));
  if (status !== 0) return [];
  const answers = JSON.parse(stdout.trim().split('\n').at(-1)!) as PeerAnswer[];
  return answers.map((answer, i) => ({ ...peer.score(entries[i]!, answer), file: nameOf(entries[i]!), ms: answer.ms }));
};

/** The same entries read by whichever peers this machine has; a line says which are missing. */
export const peerResults = (
  folder: string,
  entries: readonly Entry[],
): Record<string, Partial<Record<Kind, KindResult>>> => {
  const results: Record<string, Partial<Record<Kind, KindResult>>> = {};
  for (const peer of PEERS) {
    const own = entries.filter(({ kind }) => peer.kinds.includes(kind as Kind));
    if (own.length === 0) continue;
    if (!isInstalled(peer)) {
      console.log(`${peer.name} is not installed here and is left out.`);
      continue;
    }
    for (const kind of KINDS) {
      const some = own.filter((entry) => entry.kind === kind);
      if (some.length === 0) continue;
      const timed = runPeer(peer, folder, some);
      if (timed.length) results[peer.name] = { ...results[peer.name], [kind]: summarise(timed) };
      else console.log(`${peer.name} failed on ${kind}.`);
    }
  }
  return results;
};
