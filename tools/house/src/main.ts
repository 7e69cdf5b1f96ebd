/**
 * npm run house [-- --json | --rules]
 *
 * Prints the figures of the code base, and fails where a
 * rule of the house is broken that `exceptions.json` does not except, or where an exception is
 * needed no more. `--rules` prints no figures.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../../scripts/arguments.mjs';
import { sourceFiles } from './files.ts';
import { edgesOf } from './graph.ts';
import { measure } from './measure.ts';
import { against, breachesOf, type Exceptions } from './rules.ts';
import { printed, reportOf } from './table.ts';
import { findUnused } from './unused.ts';

const values = readArguments(import.meta.filename, { json: { type: 'boolean' }, rules: { type: 'boolean' } });
const unused = findUnused();
const files = sourceFiles().map(measure);
const edges = edgesOf(files);
const breaches = breachesOf(files, edges, await unused);
const report = reportOf(files, edges, breaches);
if (values.json) console.log(JSON.stringify(report, null, 2));
else if (!values.rules) console.log(`${printed(report)}\n\n${report.longFunctions.join('\n')}`);

const exceptionsFile = join(import.meta.dirname, '../exceptions.json');
const exceptions = JSON.parse(readFileSync(exceptionsFile, 'utf8')) as Exceptions;
const { refused, stale } = against(breaches, exceptions);
for (const { rule, detail, key } of refused) console.error(`${rule}: ${detail} [${key}]`);
for (const { rule, key } of stale) console.error(`take out of tools/house/exceptions.json: ${rule}: ${key}`);
const excepted = Object.values(exceptions).flat().length;
if (refused.length + stale.length > 0) process.exitCode = 1;
else console.error(`rules of the house: met, with ${excepted} exceptions`);
