import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { methodNotAllowed, ok, reply } from '@assay/http';
import express, { type RequestHandler, Router } from 'express';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { errorPages } from './error-pages.ts';
import { type PageDeps, pageRoutes } from './pages.ts';
import { PUBLISHED_PATHS, publishedRoutes } from './published.ts';
import { sandboxPage } from './sandbox-page.ts';

export interface PublicDeps extends PageDeps {
  proofBuilder: ProofBuilder;
  openApi: object;
  /** Folder with made-up documents. */
  specimens: string;
}

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const DOCS_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Assay API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><div id="docs"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body></html>
`;
const DOCS_START = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true });\n";

const text =
  (type: string, body: string): RequestHandler =>
  (_request, response) => {
    response.set('content-type', type).send(body);
  };

/** What needs no key: health, what verifies proofs, the API's description and its docs page, the pages for people. */
export const publicRoutes = (deps: PublicDeps): Router => {
  const { prefixes, proofBuilder, openApi, version } = deps;
  const router = Router();
  for (const prefix of prefixes)
    router.get(
      `/${prefix}/healthcheck`,
      reply(() => ok({ status: 'UP', version })),
    );
  router.use(publishedRoutes(proofBuilder));
  router.get(
    '/openapi.json',
    reply(() => ok(openApi)),
  );
  router.get('/docs', text('text/html; charset=utf-8', DOCS_PAGE));
  for (const path of [
    ...prefixes.map((prefix) => `/${prefix}/healthcheck`),
    '/openapi.json',
    '/docs',
    ...PUBLISHED_PATHS,
  ])
    router.all(path, methodNotAllowed('GET', 'HEAD'));
  router.get('/docs/start.js', text('text/javascript; charset=utf-8', DOCS_START));
  router.use(errorPages());
  router.use(sandboxPage(deps.specimens));
  router.use('/docs/assets', express.static(assets, { index: false }));
  router.use(pageRoutes(deps));
  return router;
};
