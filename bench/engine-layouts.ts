/**
 * `npm run bench:layouts [-- --count N] [--seed N] [--verbose]`: how often a document without
 * machine-readable print is known by its layout and read: driving licences of the European layout
 * and fronts of other cards, drawn at random and photographed.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { todayAt } from '@assay/contracts';
import { decodePage, openReadingEngine, readDocument } from '@assay/engine/parts';
import {
  between,
  type DrawnDocument,
  type DrawOptions,
  degrade,
  drawEuropeanLicence,
  drawPrintedCard,
  EUROPEAN_ISSUERS,
  type Person,
  PRINTED_CARDS,
  randomPerson,
  seeded,
} from '@assay/specimens';
import { bounds } from './engine/bounds.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});

type Draw = (person: Person, options: DrawOptions) => Promise<DrawnDocument>;
const kinds: { name: string; country: string; draw: Draw }[] = [
  ...EUROPEAN_ISSUERS.map((country) => ({
    name: `${country}-DL`,
    country,
    draw: (person: Person, options: DrawOptions) => drawEuropeanLicence(person, country, options),
  })),
  ...PRINTED_CARDS.map((card) => ({
    name: card,
    country: card.slice(0, 3),
    draw: (person: Person, options: DrawOptions) => drawPrintedCard(person, card, options),
  })),
];

const engine = await openReadingEngine();
const portrait = await readFile(join(import.meta.dirname, '../specimens/portraits/holder.jpg'));
const random = seeded(Number(values.seed));
const today = todayAt(new Date());
const count = Number(values.count);

const table = [];
for (const { name, country, draw } of kinds) {
  const hits = { known: 0, names: 0, number: 0, birthDate: 0, confirmed: 0 };
  for (let i = 0; i < count; i++) {
    const person = randomPerson(random);
    const { front } = await draw(person, { portrait, random });
    const photo = await degrade(front, {
      quality: between(random, 60, 90),
      rotation: between(random, -4, 4),
      noise: between(random, 0, 6),
      seed: between(random, 1, 1e6),
    });
    const { reading } = await readDocument({ front: await decodePage(photo), details: {}, today, engine });
    const { data, recognition } = reading;
    const known = recognition?.country === country;
    const names = [...data.givenNames, data.surname].map((one) => one?.value).join(' ');
    const right = names === [...person.givenNames, person.surname].join(' ');
    if (known) hits.known++;
    if (right) hits.names++;
    if (data.documentNumber?.value === person.number) hits.number++;
    if (data.birthDate?.value === person.birthDate) hits.birthDate++;
    if (Object.values(data).some((value) => typeof value === 'object' && 'confirmed' in value && value.confirmed))
      hits.confirmed++;
    if (values.verbose && !(known && right))
      console.log(
        name,
        i,
        recognition?.model,
        names,
        person,
        reading.visual.lines.map(({ text }) => text),
      );
  }
  table.push({ name, ...Object.fromEntries(Object.entries(hits).map(([what, n]) => [what, bounds(n, count)])) });
}
console.table(table);
process.exit(0);
