/**
 * `npm run -s licences`: every package that the services run with, with its version and licence,
 * from the bill of materials (`npm run -s sbom`, CycloneDX). Ends with 1 where a package names no
 * licence, or one that is not known to let it be shipped.
 */
import { execFileSync } from 'node:child_process';
import { answerHelp } from './arguments.mjs';

answerHelp(import.meta.filename);

const PERMISSIVE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|Zlib|Python-2\.0|LGPL-3\.0-or-later|OFL-1\.1)$/;

/** Of alternatives one is enough; of licences that all apply each has to be known. */
const isPermissive = (licence) =>
  licence.split(' AND ').every((part) =>
    part
      .replaceAll(/[()]/g, '')
      .split(' OR ')
      .some((one) => PERMISSIVE.test(one.trim())),
  );

const bill = JSON.parse(
  execFileSync('npm', ['run', '-s', 'sbom'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
const licenceOf = ({ licenses = [] }) =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ');
const packages = bill.components
  .filter(({ purl }) => !purl.startsWith('pkg:npm/%40assay/'))
  .map((component) => ({
    name: `${component.group ? `${component.group}/` : ''}${component.name}@${component.version}`,
    licence: licenceOf(component),
  }))
  .sort((one, other) => one.name.localeCompare(other.name));
for (const { name, licence } of packages) console.log(`${name}\t${licence || 'none named'}`);
const unclear = packages.filter(({ licence }) => !isPermissive(licence));
if (unclear.length > 0) {
  console.error(
    `to be looked at: ${unclear.map(({ name, licence }) => `${name} (${licence || 'none named'})`).join(', ')}`,
  );
  process.exitCode = 1;
}
