#!/usr/bin/env node
// Runs the command from its bundle, which is built first when the sources are newer. Where it
// cannot be built, because nothing may be written here for instance, the command runs from its
// sources.
import { build } from '../../../scripts/build.mjs';

const isBuilt = await build(({ folder }) => folder === 'libs/client').then(
  () => true,
  () => false,
);
if (!isBuilt) (await import('tsx/esm/api')).register();
const { main } = await import(isBuilt ? '../dist/assay.js' : '../src/command/main.ts');
process.exitCode = await main(process.argv);
