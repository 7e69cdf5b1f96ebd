import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { methodNotAllowed, ok, reply } from '@assay/http';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { PUBLISHED_PATHS, publishedRoutes } from './published.ts';

export interface PublicParts {
  prefixes: readonly string[];
  proofBuilder: ProofBuilder;
  openApi: object;
  version: string;
  /** Folder with the built pages of the console and of capture. */
  pages: string;
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

/** The pages show images they fetched with a key: from memory, so from blob addresses. */
const ownImages: RequestHandler = helmet.contentSecurityPolicy({
  directives: { imgSrc: ["'self'", 'data:', 'blob:'] },
});

const text =
  (type: string, body: string): RequestHandler =>
  (_request, response) => {
    response.set('content-type', type).send(body);
  };

/** What needs no key: health, what verifies proofs, the API's description and its docs page, the console and the capture page. */
export const publicRoutes = ({ prefixes, proofBuilder, openApi, version, pages }: PublicParts): Router => {
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
  router.use('/docs/assets', express.static(assets, { index: false }));
  for (const page of ['console', 'capture'])
    router.use(`/${page}`, ownImages, express.static(pages, { index: `${page}.html`, extensions: ['html'] }));
  return router;
};
