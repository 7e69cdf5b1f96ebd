import { ERRORS } from '@assay/contracts';
import { methodNotAllowed } from '@assay/http';
import { type RequestHandler, Router } from 'express';
import type { Frame } from './docs-frame.ts';

const ERROR_PATHS = ['/docs/errors', '/docs/errors/:code'];

/** A code may be shared by several errors, with a status each. */
const entries = Object.entries(ERRORS).map(
  ([name, entry]: [string, { code: string; status?: number; title: string }]) => ({
    name,
    ...entry,
  }),
);

const rowOf = ({ code, status, name, title }: (typeof entries)[number]): string =>
  `<tr><td><a href="/docs/errors/${code}">${code}</a></td><td>${status ?? '–'}</td><td>${name}</td><td>${title}</td></tr>`;

const contentOf = (title: string, rows: typeof entries): string => `<h1>${title}</h1>
<p>A refused call names its code in <code>errors</code>; so does an evidence that was not verified, with the codes that have no HTTP status. <a href="/docs/handling-errors">What to do about them</a></p>
<div class="table-frame" tabindex="0" role="region" aria-label="Error codes"><table class="table"><thead><tr><th scope="col">Code</th><th scope="col">HTTP status</th><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(rowOf).join('\n')}</tbody></table></div>`;

const html =
  (frame: Frame, contentFor: (code: string) => [title: string, content: string] | undefined): RequestHandler =>
  async ({ params }, response, next) => {
    const found = contentFor(String(params.code));
    if (!found) return next('router');
    const [title, content] = found;
    response.type('html').send(await frame('/docs/errors', title, content));
  };

/** The pages that the `type` of a problem names: one for each code, and a list of all. */
export const errorPages = (frame: Frame): Router => {
  const router = Router();
  router.get(
    '/docs/errors',
    html(frame, () => ['Error codes', contentOf('Error codes', entries)]),
  );
  router.get(
    '/docs/errors/:code',
    html(frame, (code) => {
      const rows = entries.filter((entry) => entry.code === code);
      if (rows.length === 0) return undefined;
      const title = `Error ${code}`;
      return [title, `${contentOf(title, rows)}<p><a href="/docs/errors">All codes</a></p>`];
    }),
  );
  for (const path of ERROR_PATHS) router.all(path, methodNotAllowed('GET', 'HEAD'));
  return router;
};
