import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { todayAt } from '@assay/contracts';
import { drawPassport, photograph, SPECIMEN } from '@assay/specimens';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Engine, isUnreadable } from '../engine.ts';
import { openEnginePool } from '../pool.ts';
import { indicatorsOf } from '../rules/document-indicators.ts';

const today = todayAt(new Date('2026-11-21'));

let engine: Engine;
beforeAll(async () => {
  engine = await openEnginePool({ size: 1, limits: { startMs: 110_000 } });
}, 120_000);
afterAll(() => engine.close());

const readBorn = async (birthDate: string) => {
  const portrait = await readFile(path.resolve(import.meta.dirname, '../../../../specimens/portraits/holder.jpg'));
  const drawn = await drawPassport({ ...SPECIMEN, birthDate }, { portrait });
  const front = await photograph(drawn.front, { width: 1600, seed: 23 });
  const seen = await engine.document({ front, details: {}, today, settings: { portrait: false } });
  if (isUnreadable(seen)) throw new Error(seen.error.code);
  return { data: seen.reading.data, raised: indicatorsOf(seen.reading) };
};

test('a holder aged 101 is not taken for a child', async () => {
  const { data, raised } = await readBorn('1925-03-07');
  expect(data.birthDate).toEqual({ value: '1925-03-07', source: 'MRZ', confirmed: true });
  expect(raised).toContain('OCR_BIRTHDATE_OK');
}, 60_000);

test('a child is not taken for a holder aged 101', async () => {
  const { data, raised } = await readBorn('2025-03-07');
  expect(data.birthDate).toEqual({ value: '2025-03-07', source: 'MRZ', confirmed: true });
  expect(raised).toContain('OCR_BIRTHDATE_OK');
}, 60_000);
