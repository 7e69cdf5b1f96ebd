/**
 * `npm run client:types`: makes the types and the routes of the clients, in libs/client/src/api and
 * clients/python, from the OpenAPI document.
 */
import { execSync } from 'node:child_process';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';

answerHelp(import.meta.filename);

execSync(
  'tsx services/gateway/src/http/print-openapi.ts | tsx libs/client/src/generate/main.ts && biome format --write libs/client/src/api clients/python',
  { cwd: root, stdio: 'inherit' },
);
