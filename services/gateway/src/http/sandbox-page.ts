import { ERRORS, SANDBOX_CODES, SANDBOX_OUTCOMES, type SandboxCode, type SandboxOutcome } from '@assay/contracts';
import { methodNotAllowed } from '@assay/http';
import express, { Router } from 'express';
import type { Frame } from './docs-frame.ts';
import { isReading } from './page-files.ts';

const AT = '/docs/sandbox';
/** Where the specimens of the catalogue can be downloaded. */
export const SPECIMENS_AT = `${AT}/specimens`;

const SPECIMENS: readonly string[] = SANDBOX_OUTCOMES.flatMap(({ specimen }) => specimen ?? []);

type Line = SandboxOutcome | SandboxCode;
const LINES: readonly Line[] = [...SANDBOX_OUTCOMES, ...SANDBOX_CODES];

const howOf = ({ data, specimen }: Line): string => {
  if (data) return `<code>${data.field}</code> = <code>${data.value}</code>`;
  return specimen ? `<a href="${SPECIMENS_AT}/${specimen}">${specimen}</a>` : '–';
};

const codeOf = ({ error }: Line): string =>
  error ? `<a href="/docs/errors/${ERRORS[error].code}">${ERRORS[error].code}</a>` : '–';

const rowOf = (line: Line): string =>
  `<tr id="${line.name}"><td><code>${line.name}</code></td><td>${line.description}</td><td>${line.status}${line.score ? ` ${line.score}` : ''}</td><td>${codeOf(line)}</td><td>${howOf(line)}</td><td>${line.needs ?? '–'}</td></tr>`;

const KINDS: readonly [Line['kind'], string][] = [
  ['documentImage', 'Documents, as images'],
  ['documentText', 'Documents, as text'],
  ['healthCard', 'Health cards'],
  ['documentChip', 'Chips'],
  ['portrait', 'Selfies'],
  ['oneTimeCode', 'One-time codes, by their data alone'],
];

const tableOf = (kind: Line['kind'], title: string): string => `<h2 id="${kind}">${title}</h2>
<div class="table-frame" tabindex="0" role="region" aria-label="${title}"><table class="table"><thead><tr><th scope="col">Outcome</th><th scope="col">What it is</th><th scope="col">Status</th><th scope="col">Error</th><th scope="col">Without arming</th><th scope="col">Needs</th></tr></thead>
<tbody>${LINES.filter((line) => line.kind === kind)
  .map(rowOf)
  .join('\n')}</tbody></table></div>`;

const CONTENT = `<h1>Sandbox outcomes</h1>
<p>What a <a href="/docs/testing">sandbox tenant</a> can have on purpose. Arm a line with <code>POST identities/{id}/sandbox/outcome {"outcome": "NAME"}</code>: the next submission of its kind comes to it, whatever is in it. Or submit what stands under "without arming".</p>
${KINDS.map(([kind, title]) => tableOf(kind, title)).join('\n')}`;

/** The catalogue as a page, and its specimens: `folder` is where they lie. */
export const sandboxPage = (frame: Frame, folder: string): Router => {
  const router = Router();
  router.get(AT, async (_request, response) => {
    response.type('html').send(await frame(AT, 'Sandbox outcomes', CONTENT));
  });
  router.all(AT, methodNotAllowed('GET', 'HEAD'));
  const files = express.static(folder, { index: false });
  const others = methodNotAllowed('GET', 'HEAD');
  router.use(SPECIMENS_AT, (request, response, next) => {
    if (!SPECIMENS.includes(request.path.slice(1))) return next();
    return isReading(request) ? files(request, response, next) : others(request, response, next);
  });
  return router;
};
