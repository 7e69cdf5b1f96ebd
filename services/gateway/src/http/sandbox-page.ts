import { ERRORS, SANDBOX_OUTCOMES, type SandboxOutcome } from '@assay/contracts';
import { methodNotAllowed } from '@assay/http';
import express, { Router } from 'express';

const AT = '/docs/sandbox';
/** Where the specimens of the catalogue can be downloaded. */
export const SPECIMENS_AT = `${AT}/specimens`;

const SPECIMENS: readonly string[] = SANDBOX_OUTCOMES.flatMap(({ specimen }) => specimen ?? []);

const howOf = ({ data, specimen }: SandboxOutcome): string => {
  if (data) return `<code>${data.field}</code> = <code>${data.value}</code>`;
  return specimen ? `<a href="${SPECIMENS_AT}/${specimen}">${specimen}</a>` : '–';
};

const codeOf = ({ error }: SandboxOutcome): string =>
  error ? `<a href="/docs/errors/${ERRORS[error].code}">${ERRORS[error].code}</a>` : '–';

const rowOf = (line: SandboxOutcome): string =>
  `<tr><td><code>${line.name}</code></td><td>${line.description}</td><td>${line.status}${line.score ? ` ${line.score}` : ''}</td><td>${codeOf(line)}</td><td>${howOf(line)}</td><td>${line.needs ?? '–'}</td></tr>`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sandbox outcomes</title></head>
<body><main><h1>Sandbox outcomes</h1>
<p>A tenant made with <code>settings: {"sandbox": true}</code> has keys that begin with <code>asy_sandbox_</code>. Arm a line with
<code>POST identities/{id}/sandbox/outcome {"outcome": "NAME"}</code>: the next submission of its kind comes to it, whatever is in it.
Or submit what stands under "without arming".</p>
<p>With it: <code>indicators</code> (further ones), <code>delaySeconds</code> (1 to 60), <code>webhookFailures</code> (first attempts of its webhook that fail).</p>
<table><thead><tr><th>Outcome</th><th>What it is</th><th>Status</th><th>Error</th><th>Without arming</th><th>Needs</th></tr></thead>
<tbody>${SANDBOX_OUTCOMES.map(rowOf).join('\n')}</tbody></table>
<p><a href="/docs">API</a></p></main></body></html>
`;

/** The catalogue as a page, and its specimens: `folder` is where they lie. */
export const sandboxPage = (folder: string): Router => {
  const router = Router();
  router.get(AT, (_request, response) => {
    response.type('html').send(PAGE);
  });
  router.all(AT, methodNotAllowed('GET', 'HEAD'));
  const files = express.static(folder, { index: false });
  router.use(SPECIMENS_AT, (request, response, next) =>
    SPECIMENS.includes(request.path.slice(1)) ? files(request, response, next) : next(),
  );
  return router;
};
