#!/usr/bin/env node
// Runs the command from its sources: nothing has to be built first.
import { register } from 'tsx/esm/api';

register();
const { main } = await import('../src/command/main.ts');
process.exitCode = await main(process.argv);
