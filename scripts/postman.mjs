/**
 * `npm run -s postman > FILE`: makes a collection for Postman from the OpenAPI document: every
 * call, with the examples of the reference and variables for address and key.
 */
import { execSync } from 'node:child_process';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';

answerHelp(import.meta.filename);

execSync('tsx services/gateway/src/http/print-openapi.ts | tsx libs/client/src/generate/postman.main.ts', {
  cwd: root,
  stdio: 'inherit',
});
