import { join } from 'node:path';
import { methodNotAllowed, ok, reply } from '@assay/http';
import { Router } from 'express';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { docsFrame } from './docs-frame.ts';
import { errorPages } from './error-pages.ts';
import { pageFiles } from './page-files.ts';
import { type PageDeps, pageRoutes } from './pages.ts';
import { publishedRoutes } from './published.ts';
import { sandboxPage } from './sandbox-page.ts';
import { type SignInDeps, signInRoutes } from './sign-in.ts';

export interface PublicDeps extends PageDeps, SignInDeps {
  proofBuilder: ProofBuilder;
  /** Describes the API; asked once, at the first request for it. */
  openApi: () => object;
  /** Folder with made-up documents. */
  specimens: string;
}

/**
 * What needs no key: health, what verifies proofs, the API's description and its docs page, the
 * pages for people.
 */
export const publicRoutes = (deps: PublicDeps): Router => {
  const { prefixes, proofBuilder, openApi, version } = deps;
  const router = Router();
  for (const prefix of prefixes)
    router.get(
      `/${prefix}/healthcheck`,
      reply(() => ok({ status: 'UP', version })),
    );
  router.use(publishedRoutes(proofBuilder));
  let document: object | undefined;
  router.get(
    '/openapi.json',
    reply(() => {
      document ??= openApi();
      return ok(document);
    }),
  );
  for (const path of [...prefixes.map((prefix) => `/${prefix}/healthcheck`), '/openapi.json'])
    router.all(path, methodNotAllowed('GET', 'HEAD'));
  const docs = join(deps.pages, 'docs');
  const frame = docsFrame(docs);
  router.use(errorPages(frame));
  router.use(sandboxPage(frame, deps.specimens));
  router.use('/docs', pageFiles(docs, true));
  router.all('/docs', methodNotAllowed('GET', 'HEAD'));
  router.use(signInRoutes(deps));
  router.use(pageRoutes({ ...deps, signInLabel: deps.signInFlow.label }));
  return router;
};
