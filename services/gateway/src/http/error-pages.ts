import { ERRORS } from '@assay/contracts';
import { ApiError, methodNotAllowed } from '@assay/http';
import { type RequestHandler, Router } from 'express';

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

const pageOf = (title: string, rows: typeof entries): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1>
<table><thead><tr><th>Code</th><th>HTTP status</th><th>Name</th><th>Meaning</th></tr></thead>
<tbody>${rows.map(rowOf).join('\n')}</tbody></table>
<p>Codes without an HTTP status are in the <code>errors</code> of an evidence. <a href="/docs/errors">All codes</a>, <a href="/docs">API</a></p>
</body></html>
`;

const html =
  (pageFor: (code: string) => string): RequestHandler =>
  ({ params }, response) => {
    response.type('html').send(pageFor(String(params.code)));
  };

/** The pages that the `type` of a problem names: one for each code, and a list of all. */
export const errorPages = (): Router => {
  const router = Router();
  router.get(
    '/docs/errors',
    html(() => pageOf('Error codes', entries)),
  );
  router.get(
    '/docs/errors/:code',
    html((code) => {
      const rows = entries.filter((entry) => entry.code === code);
      if (rows.length === 0) throw new ApiError('NOT_FOUND');
      return pageOf(`Error ${code}`, rows);
    }),
  );
  for (const path of ERROR_PATHS) router.all(path, methodNotAllowed('GET', 'HEAD'));
  return router;
};
