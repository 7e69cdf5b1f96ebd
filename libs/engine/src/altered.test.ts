import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { todayAt } from '@assay/contracts';
import {
  ALTERABLE_FIELDS,
  type Alteration,
  between,
  degrade,
  drawIdentityCard,
  drawPassport,
  drawUsLicence,
  type Person,
  photograph,
  pick,
  type Random,
  randomPerson,
  SPECIMEN,
  seeded,
  US_STATES,
} from '@assay/specimens';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type Engine, isUnreadable } from './engine.ts';
import { openEnginePool } from './pool.ts';
import { indicatorsOf } from './rules/document-indicators.ts';

// The same documents in every run, so that a failure means a change of the code. `npm run
// bench:specimens` draws new ones and counts.
const SEED = Number(process.env.SPECIMEN_SEED ?? 20_780);
const portraits = path.resolve(import.meta.dirname, '../../../specimens/portraits');

let engine: Engine;
let portrait: Buffer;
beforeAll(async () => {
  portrait = await readFile(path.join(portraits, 'holder.jpg'));
  engine = await openEnginePool({ size: 1, limits: { startMs: 110_000 } });
}, 120_000);
afterAll(() => engine.close());

const FORGERIES: readonly Alteration[] = [
  ...ALTERABLE_FIELDS.flatMap((field): Alteration[] => [
    { kind: 'visual', field },
    { kind: 'machine', field },
  ]),
  { kind: 'expired' },
];

const draw = (random: Random, alter: Alteration | undefined) => {
  const options = { portrait, random, ...(alter && { alter }) };
  const person = randomPerson(random);
  return pick(random, [
    () => drawPassport(person, options),
    () => drawIdentityCard(person, options),
    () => drawUsLicence(person, pick(random, US_STATES), options),
  ])();
};

const readOf = async (random: Random, alter?: Alteration) => {
  const { front, back, truth } = await draw(random, alter);
  const photo = (side: Buffer) =>
    degrade(side, {
      quality: between(random, 60, 90),
      rotation: between(random, -8, 8),
      noise: between(random, 0, 6),
      seed: between(random, 1, 1e6),
    });
  const job = { front: await photo(front), ...(back && { back: await photo(back) }) };
  const seen = await engine.document({
    ...job,
    details: {},
    today: todayAt(new Date('2026-11-21')),
    settings: { portrait: false },
  });
  if (isUnreadable(seen)) throw new Error(seen.error.code);
  return { truth, reading: seen.reading, raised: indicatorsOf(seen.reading) };
};

/** Indicators of which one is enough to keep a document from VERIFIED (docs/indicators.md). */
const STOPS =
  /^(OCR_(SURNAME|FIRSTNAMES|DOCNUM|BIRTHDATE|EXPIRATION_DATE|SEX)_WARNING|MRZ_CHECKSUMS_FAILED|DOC_EXPIRATION_DATE_FAILED|MRZ_BARCODE_CROSSCHECK_FAILED|MODEL_RECOGNIZED_(FAILED|WARNING))$/;

test('a forgery of one field always raises an indicator that stops it', async () => {
  const random = seeded(SEED);
  for (let i = 0; i < 6; i += 1) {
    const alter = pick(random, FORGERIES);
    const { raised } = await readOf(random, alter);
    const stopped = raised.some((name) => STOPS.test(name));
    expect({ seed: SEED, i, alter, stopped, raised: stopped ? [] : raised }).toMatchObject({ stopped: true });
  }
}, 300_000);

test('an unaltered document is read correctly, and no indicator stops it', async () => {
  const random = seeded(SEED + 2);
  const wrong: unknown[] = [];
  for (let i = 0; i < 6; i += 1) {
    const { truth, reading, raised } = await readOf(random);
    const { surname, number, birthDate, expiryDate } = truth.machine;
    const { data } = reading;
    const wanted = { surname, number, birthDate, expiryDate };
    const read = {
      surname: data.surname?.value,
      number: data.documentNumber?.value,
      birthDate: data.birthDate?.value,
      expiryDate: data.expiryDate?.value,
    };
    const stops = raised.filter((name) => STOPS.test(name));
    if (stops.length > 0 || JSON.stringify(read) !== JSON.stringify(wanted)) wrong.push({ i, wanted, read, stops });
  }
  expect({ seed: SEED + 2, wrong }).toMatchObject({ wrong: [] });
}, 300_000);

test('a wrong check digit fails the checksum', async () => {
  const random = seeded(SEED + 1);
  const drawn = await drawPassport(randomPerson(random), {
    portrait,
    random,
    alter: { kind: 'check-digit', field: pick(random, ['number', 'birthDate', 'expiryDate', 'composite'] as const) },
  });
  const seen = await engine.document({
    front: drawn.front,
    details: {},
    today: todayAt(new Date('2026-11-21')),
    settings: { portrait: false },
  });
  if (isUnreadable(seen)) throw new Error(seen.error.code);
  expect(indicatorsOf(seen.reading)).toContain('MRZ_CHECKSUMS_FAILED');
}, 120_000);

test('a date of the zone that the page has behind another label is not confirmed by it', async () => {
  const raisedBy = async (printed: Person, zone: Partial<Person> = {}): Promise<string[]> => {
    const page = await drawPassport(printed, { portrait });
    const print = await sharp(page.front).extract({ left: 0, top: 0, width: 1250, height: 690 }).png().toBuffer();
    const { front } = await drawPassport({ ...printed, ...zone }, { portrait });
    const forged = await sharp(front)
      .composite([{ input: print, left: 0, top: 0 }])
      .png()
      .toBuffer();
    const seen = await engine.document({
      front: await photograph(forged, { width: 1600, seed: 11 }),
      details: {},
      today: todayAt(new Date('2026-11-21')),
      settings: { portrait: false },
    });
    if (isUnreadable(seen)) throw new Error(seen.error.code);
    return indicatorsOf(seen.reading);
  };
  expect(await raisedBy(SPECIMEN)).toEqual(expect.arrayContaining(['OCR_BIRTHDATE_OK', 'OCR_EXPIRATION_DATE_OK']));
  const { issueDate } = SPECIMEN;
  expect(await raisedBy(SPECIMEN, { birthDate: issueDate })).toContain('OCR_BIRTHDATE_WARNING');
  const future = { ...SPECIMEN, issueDate: '2030-01-09' };
  expect(await raisedBy(future, { expiryDate: '2030-01-09' })).toContain('OCR_EXPIRATION_DATE_WARNING');
  expect(await raisedBy(future)).toEqual(
    expect.arrayContaining(['OCR_EXPIRATION_DATE_OK', 'ISSUING_DATE_VALIDITY_UNVERIFIED']),
  );
}, 120_000);
