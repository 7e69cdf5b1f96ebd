/**
 * npm run bench:obstacles [-- --count N] [--seed N] [--only KIND] [--verbose]
 *
 * What happens to documents that are covered, damaged, cut off, too far away, on other print or
 * beside another: of each kind drawn at random, how many the default policy stops, how many raise
 * an indicator that tells of it, and of how many the part in question is called OK all the same.
 */
import { parseArgs } from 'node:util';
import { present, todayAt } from '@assay/contracts';
import { isUnreadable } from '@assay/engine';
import { openProcessPool } from '@assay/engine/parts';
import { pick, type Random, seeded } from '@assay/specimens';
import { bounds } from './engine/bounds.ts';
import {
  amongPrint,
  bothSides,
  cut,
  FAMILIES,
  type Family,
  finger,
  highlight,
  hole,
  patch,
  type Sides,
  taken,
  torn,
  twoFronts,
  twoPassports,
} from './engine/obstacles.ts';
import { blockers } from './engine/policy.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});
const engine = await openProcessPool({ size: 1 });
const today = todayAt(new Date());

interface Kind {
  name: string;
  make: (family: Family, random: Random) => Promise<Sides>;
  /** Indicators that report it, and codes of errors. */
  reportedAs: RegExp;
  /** What nobody can have examined. */
  neverOk?: RegExp;
}

const onFront =
  (change: (front: Buffer, family: Family, random: Random) => Promise<Buffer>): Kind['make'] =>
  async (family, random) => {
    const { front, back } = await family.draw(random);
    return bothSides({ front: await change(front, family, random), ...present({ back }) }, (side) =>
      taken(side, random),
    );
  };

const KINDS: readonly Kind[] = [
  {
    name: 'clean',
    make: onFront(async (front) => front),
    reportedAs: /^(OCR|MRZ|CUT|PORTRAIT_[WF]|LOW)\w*_(WARNING|FAILED)$/,
  },
  {
    name: 'a finger on the portrait',
    make: onFront((front, family, random) => finger(front, family.portrait, random)),
    reportedAs: /^PORTRAIT_(FAILED|WARNING|UNVERIFIED)$/,
    neverOk: /^PORTRAIT_OK$/,
  },
  {
    name: 'a finger on the surname',
    make: onFront((front, family, random) => finger(front, family.surname, random)),
    reportedAs: /^OCR_SURNAME_(WARNING|UNVERIFIED)$/,
    neverOk: /^OCR_SURNAME_OK$/,
  },
  {
    name: 'a hole in the surname',
    make: onFront((front, family) => hole(front, family.surname)),
    reportedAs: /^OCR_SURNAME_(WARNING|UNVERIFIED)$/,
    neverOk: /^OCR_SURNAME_OK$/,
  },
  {
    name: 'a sticker on the machine-readable part',
    make: async (family, random) => {
      const { front, back } = await family.draw(random);
      const changed = await patch(back ?? front, family.machine, '#f4f1d0');
      return bothSides(back ? { front, back: changed } : { front: changed }, (side) => taken(side, random));
    },
    reportedAs: /^(MRZ_\w+|DOCUMENT_BARCODE_PARSING|MODEL_RECOGNIZED)_(FAILED|WARNING|UNVERIFIED)$/,
    neverOk: /^MRZ_CHECKSUMS_OK$/,
  },
  {
    name: 'a torn corner',
    make: onFront((front, _, random) => torn(front, random)),
    reportedAs: /^DAMAGED_DOCUMENT_CHECK_FAILED$/,
  },
  {
    name: 'a quarter of each picture cut off',
    make: async (family, random) => {
      const sides = await family.draw(random);
      return bothSides(sides, async (side) => cut(await taken(side, random)));
    },
    reportedAs: /^(CUT_OFF_DOCUMENT_CHECK|PORTRAIT|MRZ_PRESENCE)_(WARNING|FAILED)$/,
    neverOk: /^CUT_OFF_DOCUMENT_CHECK_OK$/,
  },
  {
    name: 'too far: a third of the width',
    make: async (family, random) => bothSides(await family.draw(random), (side) => taken(side, random, 0.335)),
    reportedAs: /^((LOW_IMAGE_QUALITY_\w+|PORTRAIT|MRZ_PRESENCE)_(WARNING|FAILED)|1541)$/,
  },
  {
    name: 'print in the background',
    make: async (family, random) =>
      bothSides(await family.draw(random), async (side) => taken(await amongPrint(side), random)),
    reportedAs: /^(OCR_\w+_(WARNING|UNVERIFIED)|1538)$/,
  },
  {
    name: 'another passport beside it, its zone covered',
    make: (_, random) => twoPassports(random),
    reportedAs: /^NO_MULTIPLE_DOCUMENT_CHECK_FAILED$/,
    neverOk: /^NO_MULTIPLE_DOCUMENT_CHECK_OK$/,
  },
  {
    name: "a stranger's larger front beside that of the back",
    make: (_, random) => twoFronts(random),
    reportedAs: /^PORTRAIT_SUBSTITUTION_WARNING$/,
    neverOk: /^NO_MULTIPLE_DOCUMENT_CHECK_OK$/,
  },
  {
    name: 'a highlight on the surname',
    make: async (family, random) => {
      const { front, back } = await bothSides(await family.draw(random), (side) => taken(side, random));
      return { front: await highlight(front, family.surname, random), ...present({ back }) };
    },
    reportedAs: /^1532$/,
    neverOk: /^OCR_SURNAME_OK$/,
  },
];

const rows = [];
for (const [at, kind] of KINDS.entries()) {
  if (!new RegExp(values.only).test(kind.name)) continue;
  const count = { pictures: 0, stopped: 0, reported: 0, wronglyOk: 0, slowest: 0 };
  for (let i = 0; i < Number(values.count); i++) {
    const random = seeded(Number(values.seed) * 10_000 + at * 100 + i);
    const { front, back } = await kind.make(pick(random, FAMILIES), random);
    const start = performance.now();
    const seen = await engine.run({ kind: 'document', job: { front, ...present({ back }), details: {}, today } });
    count.slowest = Math.max(count.slowest, performance.now() - start);
    if (isUnreadable(seen)) throw new Error(seen.error.code);
    const { indicators } = seen;
    const names = [...indicators, ...seen.errors.map(({ code }) => code)];
    const wrong = indicators.filter((name) => kind.neverOk?.test(name));
    const matching = names.filter((name) => kind.reportedAs.test(name) && name !== 'OCR_ISSUING_DATE_UNVERIFIED');
    count.pictures++;
    if (blockers(indicators).length > 0) count.stopped++;
    if (matching.length > 0) count.reported++;
    if (wrong.length > 0) count.wronglyOk++;
    if (values.verbose) console.log(kind.name, i, back ? 'two sides' : 'one', blockers(indicators), matching, wrong);
  }
  const { pictures, stopped, reported, wronglyOk, slowest } = count;
  rows.push({
    kind: kind.name,
    stopped: bounds(stopped, pictures),
    reported: bounds(reported, pictures),
    wronglyOk: kind.neverOk ? bounds(wronglyOk, pictures) : '',
    slowestMs: Math.round(slowest),
  });
}
console.table(rows);
await engine.close();
process.exit(0);
