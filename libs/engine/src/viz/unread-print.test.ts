import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { todayAt } from '@assay/contracts';
import { drawPassport, photograph, SPECIMEN } from '@assay/specimens';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Engine, isUnreadable } from '../engine.ts';
import { openEnginePool } from '../pool.ts';
import { indicatorsOf } from '../rules/document-indicators.ts';

let engine: Engine;
let portrait: Buffer;
beforeAll(async () => {
  portrait = await readFile(path.resolve(import.meta.dirname, '../../../../specimens/portraits/holder.jpg'));
  engine = await openEnginePool({ size: 1, limits: { startMs: 110_000 } });
}, 120_000);
afterAll(() => engine.close());

const namesOf = async (surname: string, givenNames: string[], zone: string) => {
  const { front } = await drawPassport({ ...SPECIMEN, surname, givenNames }, { portrait });
  const seen = await engine.document({
    front: await photograph(front, { width: 1500, seed: 2 }),
    details: {},
    today: todayAt(new Date('2026-11-21')),
    settings: { portrait: false },
  });
  if (isUnreadable(seen)) throw new Error(seen.error.code);
  expect(seen.reading.mrz?.lines[0]).toContain(zone);
  return indicatorsOf(seen.reading).filter((name) => /^OCR_(SURNAME|FIRSTNAMES)/.test(name));
};

test.each([
  ['MƏMMƏDOV', ['GÜLNARƏ'], 'MEMMEDOV<<GULNARE<'],
  ['NGUYỄN', ['THỊ', 'HƯƠNG'], 'NGUYEN<<THI<HUONG<'],
])(
  'letters of %s that were not read are no contradiction, and no agreement',
  async (surname, given, zone) => {
    expect(await namesOf(surname, given, zone)).toEqual(['OCR_SURNAME_UNVERIFIED', 'OCR_FIRSTNAMES_UNVERIFIED']);
  },
  120_000,
);
