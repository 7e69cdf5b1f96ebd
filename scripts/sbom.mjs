/**
 * `npm run -s sbom`: the bill of materials (CycloneDX) of everything the services run with. `npm
 * sbom --omit=dev` leaves out what development uses as well, so the whole bill is taken, and what
 * no service depends on is left out by walking package-lock.json.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';

answerHelp(import.meta.filename);

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const services = Object.keys(packages).filter((path) => /^services\/[^/]+$/.test(path));

/**
 * Where a package finds another one: below itself, else below a folder above. @param {string} from
 * @param {string} name @returns {string | undefined}
 */
const resolve = (from, name) => {
  const path = `${from ? `${from}/` : ''}node_modules/${name}`;
  if (packages[path]) return packages[path].link ? packages[path].resolved : path;
  return from === '' ? undefined : resolve(from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : '', name);
};

/** @type {Set<string>} */
const reached = new Set();
/** @param {string} path */
const reach = (path) => {
  if (reached.has(path)) return;
  reached.add(path);
  const { dependencies, optionalDependencies, peerDependencies } = packages[path];
  for (const name of Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })) {
    const found = resolve(path, name);
    if (found) reach(found);
  }
};
for (const service of services) reach(service);
const shipped = new Set(
  [...reached].map((path) => `${packages[path].name ?? path.split('node_modules/').at(-1)}@${packages[path].version}`),
);

const npm = ['sbom', '--sbom-format=cyclonedx', ...services.flatMap((service) => ['-w', service])];
const bill = JSON.parse(
  execFileSync('npm', npm, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] }),
);
/** @param {{ purl: string }} component */
const isShipped = ({ purl }) => shipped.has(decodeURIComponent(purl.replace(/^pkg:npm\//, '').split('?')[0] ?? ''));
const components = bill.components.filter(isShipped);
const refs = new Set([
  bill.metadata?.component?.['bom-ref'],
  ...components.map((/** @type {any} */ one) => one['bom-ref']),
]);
const dependencies = (bill.dependencies ?? [])
  .filter((/** @type {any} */ one) => refs.has(one.ref))
  .map((/** @type {any} */ one) => ({
    ...one,
    dependsOn: (one.dependsOn ?? []).filter((/** @type {any} */ ref) => refs.has(ref)),
  }));
console.log(JSON.stringify({ ...bill, components, dependencies }, null, 2));
