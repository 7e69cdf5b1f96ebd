import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '@assay/contracts';
import { methodNotAllowed, ok, reply, securityHeaders } from '@assay/http';
import express, { type Request, type RequestHandler, Router } from 'express';
import { pageFiles } from './page-files.ts';

/** What a development stack shows of itself on its start page. */
export interface LocalStack {
  /** The stack's description of itself. */
  stackFile: string;
  /** Folder with made-up documents to try. */
  specimens: string;
}

export interface PageDeps {
  prefixes: readonly string[];
  version: string;
  /** Folder with the built pages, a folder for each. */
  pages: string;
  localStack?: LocalStack;
  /** Whether some tenant lets pages of this origin show the capture page in a frame. */
  mayEmbed: (origin: string) => Promise<boolean>;
  /** What the button of the sign-in by OpenID Connect says; only keys where it is absent. */
  signInLabel?: string | undefined;
}

const NAMES = ['console', 'capture', 'admin'];
const ICONS = ['/favicon.svg', '/favicon.ico'];
const IMAGE = /^[\w-]+\.jpg$/;
const HERE = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** The pages show images they fetched with a key: from memory, so from blob addresses. */
const ownImages: RequestHandler = securityHeaders({ imgSrc: ["'self'", 'data:', 'blob:', 'https:'] });

/**
 * True of a browser on this very machine that asked for this very machine: another site's name that
 * leads here is not enough.
 */
const isHere = ({ headers, socket }: Request): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') && HERE.test(headers.host ?? '');

/** What helps a developer who has just started the stack; keys only on the machine itself. */
const describeLocal = async ({ stackFile, specimens }: LocalStack, here: boolean): Promise<object> => {
  const [stack, files] = await Promise.all([
    readFile(stackFile, 'utf8').then(
      (text) => JSON.parse(text) as Record<string, unknown>,
      () => ({}) as Record<string, unknown>,
    ),
    readdir(specimens).catch(() => []),
  ]);
  const { mailcatcher, simulators, tenantId, keys, logDir } = stack;
  return {
    mailcatcher,
    simulators,
    specimens: files.filter((file) => IMAGE.test(file)),
    ...(here ? { tenantId, keys, logDir } : {}),
  };
};

/**
 * The capture page in a frame of another page, which names itself in the query as `in`: allowed
 * where some tenant lists its origin. Whose link it is, is in the fragment and is not known
 * here; the page itself looks whether it is that tenant's.
 */
const framedBy =
  (mayEmbed: PageDeps['mayEmbed']): RequestHandler =>
  async ({ query }, response, next) => {
    const origin = typeof query.in === 'string' ? query.in : undefined;
    if (origin !== undefined && (await mayEmbed(origin))) {
      const policy = String(response.getHeader('content-security-policy'));
      response.set(
        'content-security-policy',
        policy.replace("frame-ancestors 'self'", `frame-ancestors 'self' ${origin}`),
      );
      response.removeHeader('x-frame-options');
    }
    next();
  };

/** The start page, the pages for people, and what they ask before anybody signs in. */
export const pageRoutes = ({ prefixes, version, pages, localStack, mayEmbed, signInLabel }: PageDeps): Router => {
  const router = Router();
  const prefix = prefixes[0] ?? 'svc';
  const names = NAMES.filter((name) => existsSync(join(pages, name)));
  const links = {
    documentation: '/docs',
    openApi: '/openapi.json',
    healthcheck: `/${prefix}/healthcheck`,
    keys: '/.well-known/jwks.json',
    schemas: '/schemas',
    ...Object.fromEntries(names.map((name) => [name, `/${name}`])),
  };
  const asJson = reply(() => ok({ name: 'Assay', version, links }));
  router.get('/', ownImages, (request, response, next) =>
    request.accepts(['html', 'json']) === 'html'
      ? response.sendFile(join(pages, 'start/index.html'))
      : asJson(request, response, next),
  );
  router.get(
    '/pages-config.json',
    reply(async (request) =>
      ok({
        prefix,
        version,
        pages: names,
        ...present({ signIn: signInLabel }),
        ...(localStack ? { local: await describeLocal(localStack, isHere(request)) } : {}),
      }),
    ),
  );
  for (const path of ['/', '/pages-config.json']) router.all(path, methodNotAllowed('GET', 'HEAD'));
  for (const icon of ICONS)
    router.get(icon, (_request, response) => response.sendFile(join(pages, 'start/favicon.svg')));
  if (localStack) router.use('/specimens', express.static(localStack.specimens, { index: false }));
  router.use('/capture', ownImages, framedBy(mayEmbed));
  for (const name of [...names, 'start'].filter((each) => each !== 'capture'))
    router.use(`/${name}`, ownImages, pageFiles(join(pages, name)));
  if (names.includes('capture')) router.use('/capture', pageFiles(join(pages, 'capture')));
  for (const path of [...names.map((name) => `/${name}`), ...ICONS]) router.all(path, methodNotAllowed('GET', 'HEAD'));
  return router;
};
