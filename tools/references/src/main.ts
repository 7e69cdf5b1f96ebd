/**
 * npm run references
 *
 * Writes the references that are made from the code: configuration, settings, metrics, errors, the
 * example of an environment, and the schema of policy files.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PolicySchema } from '@assay/policy';
import { answerHelp } from '../../../scripts/arguments.mjs';
import { PAGES } from './pages.ts';
import { root } from './sources.ts';

answerHelp(import.meta.filename);

const POLICY_SCHEMA = 'libs/policy/policies/policy.schema.json';
const wanted = { ...PAGES, [POLICY_SCHEMA]: () => JSON.stringify(PolicySchema, null, 2) };

for (const [path, make] of Object.entries(wanted)) {
  writeFileSync(join(root, path), make());
  console.log(`wrote ${path}`);
}
execFileSync('npx', ['--no-install', 'biome', 'format', '--write', POLICY_SCHEMA], { cwd: root, stdio: 'inherit' });
