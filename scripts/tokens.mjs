/**
 * `npm run tokens`: copies the pages' design tokens into the client, which shows proofs and must
 * not need the pages. A test keeps both alike.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';

answerHelp(import.meta.filename);

const css = readFileSync(join(root, 'pages/src/design/tokens.css'), 'utf8');
const file = join(root, 'libs/client/src/show/tokens.ts');
writeFileSync(
  file,
  `/** Made by \`npm run tokens\` from pages/src/design/tokens.css; change them there. */\nexport const TOKENS = \`${css}\`;\n`,
);
console.log('wrote libs/client/src/show/tokens.ts');
