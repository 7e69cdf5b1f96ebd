/**
 * npm run specimens
 *
 * Renders the committed specimens anew. The portraits are inputs and stay as they are.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../../../scripts/arguments.mjs';
import { drawAustralianLicence } from './australian-licence.ts';
import { drawIdentityCard } from './identity-card.ts';
import { type DrawnDocument, type DrawOptions, drawPassport } from './passport.ts';
import { type Person, SPECIMEN } from './person.ts';
import { photograph } from './scene.ts';
import { drawUsLicence } from './us-licence.ts';

answerHelp(import.meta.filename);

const folder = path.resolve(fileURLToPath(import.meta.url), '../../../../specimens');
const input = (name: string): Promise<Buffer> => readFile(path.join(folder, 'portraits', name));

const licensed: Person = { ...SPECIMEN, number: 'T64235789', issuingState: 'USA', nationality: 'USA' };
const australian: Person = {
  ...SPECIMEN,
  number: '12345678',
  issuingState: 'AUS',
  nationality: 'AUS',
  street: '1 EXAMPLE STREET',
  city: 'SYDNEY',
  postcode: '2000',
};

interface Entry {
  file: string;
  kind: string;
  description: string;
  truth?: DrawnDocument['truth'];
}

const entries: Entry[] = [];

async function save(file: string, image: Buffer, entry: Omit<Entry, 'file'>): Promise<void> {
  await writeFile(path.join(folder, file), image);
  entries.push({ file, ...entry });
}

async function documents(options: DrawOptions): Promise<void> {
  const passport = await drawPassport(SPECIMEN, options);
  await save('passport.jpg', await photograph(passport.front, { width: 1600, seed: 3 }), {
    kind: 'passport',
    description: 'A good specimen passport (TD3), photographed on a table',
    truth: passport.truth,
  });
  const card = await drawIdentityCard({ ...SPECIMEN, number: 'D23145890' }, options);
  await twoSided('identity-card', card, 'specimen identity card (TD1)', 5);
  await twoSided('us-licence', await drawUsLicence(licensed, 'VA', options), 'specimen driving licence of Virginia', 7);
  const licence = await drawAustralianLicence(australian, 'NSW', options);
  await save('au-licence.jpg', await photograph(licence.front, { width: 1400, seed: 11 }), {
    kind: 'au-licence',
    description: 'A specimen driver licence of New South Wales',
    truth: licence.truth,
  });
}

async function twoSided(name: string, drawn: DrawnDocument, description: string, seed: number): Promise<void> {
  const { front, back, truth } = drawn;
  if (!back) throw new Error(`${name} has no back`);
  const photo = (side: Buffer, offset: number) => photograph(side, { width: 1400, seed: seed + offset });
  await save(`${name}-front.jpg`, await photo(front, 0), {
    kind: `${name}-front`,
    description: `Front of a ${description}`,
    truth,
  });
  await save(`${name}-back.jpg`, await photo(back, 1), {
    kind: `${name}-back`,
    description: `Back of a ${description}`,
    truth,
  });
}

async function forgeries(options: DrawOptions, other: Buffer): Promise<void> {
  const photo = (drawn: DrawnDocument, seed: number) => photograph(drawn.front, { width: 1600, seed });
  const altered = await drawPassport(SPECIMEN, { ...options, alter: { kind: 'visual', field: 'birthDate' } });
  await save('passport-altered.jpg', await photo(altered, 13), {
    kind: 'passport',
    description: 'The same passport with another birth date printed than its machine-readable zone says',
    truth: altered.truth,
  });
  const expired = await drawPassport(SPECIMEN, { ...options, alter: { kind: 'expired' } });
  await save('passport-expired.jpg', await photo(expired, 17), {
    kind: 'passport',
    description: 'A passport that expired in 2020',
    truth: expired.truth,
  });
  const swapped = await drawPassport(SPECIMEN, { ...options, otherPortrait: other, alter: { kind: 'portrait' } });
  await save('passport-other-portrait.jpg', await photo(swapped, 19), {
    kind: 'passport',
    description: 'The same passport with the portrait of somebody else',
    truth: swapped.truth,
  });
}

async function selfies(): Promise<void> {
  await save('selfie-same.jpg', await input('holder-selfie.jpg'), {
    kind: 'selfie',
    description: 'The holder, another photograph',
  });
  await save('selfie-other.jpg', await input('other.jpg'), { kind: 'selfie', description: 'Somebody else' });
}

await mkdir(folder, { recursive: true });
const options: DrawOptions = { portrait: await input('holder.jpg') };
await documents(options);
await forgeries(options, await input('other-portrait.jpg'));
await selfies();
await writeFile(path.join(folder, 'index.json'), `${JSON.stringify(entries, null, 2)}\n`);
