import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { methodNotAllowed } from '@assay/http';
import express, { type Request, type RequestHandler } from 'express';

const CODINGS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  gzip: promisify(gzip),
} as const;
type Coding = keyof typeof CODINGS;
const isCoding = (text: unknown): text is Coding => text === 'br' || text === 'gzip';
const plain = (file: string): Promise<Buffer | undefined> => readFile(file).catch(() => undefined);

/** A validator by the content: the same from every gateway, another for each coding. */
const validatorOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Names of files that are text, and of nothing else: no folder above, no file that is hidden. */
const TEXT = /^\/([\w-]+\/)*[\w-]+\.(?:html|css|js|json|svg)$/;

/** Names of all files that are served: of no folder above, and none that is hidden. */
const FILE = /^\/([\w-]+\/)*[\w-]+(?:\.[\w-]+)+$/;

interface Stored {
  version: string;
  bytes: Promise<Buffer>;
}

/** Files as they are sent, compressed once and again when they changed. */
const createStore = () => {
  const stored = new Map<string, Stored>();
  return async (file: string, coding: Coding): Promise<Buffer | undefined> => {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const [key, version] = [`${coding} ${file}`, `${found.mtimeMs}:${found.size}`];
    const known = stored.get(key);
    if (known?.version === version) return known.bytes;
    const bytes = readFile(file).then(CODINGS[coding]);
    stored.set(key, { version, bytes });
    return bytes;
  };
};

export const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/**
 * The files of a page: what is text goes out compressed, and the page's own address is its
 * document without a detour. With `html`, an address may leave the ending of a document out.
 */
export const pageFiles = (folder: string, html = false): RequestHandler[] => {
  const load = createStore();
  const nameOf = (path: string): string => {
    if (path === '/') return '/index.html';
    return html && /^\/[\w-]+$/.test(path) ? `${path}.html` : path;
  };
  const compressed: RequestHandler = async (request, response, next) => {
    const name = nameOf(request.path);
    if (!isReading(request) || !TEXT.test(name)) return next();
    response.vary('Accept-Encoding');
    const coding = request.acceptsEncodings('br', 'gzip', 'identity');
    const file = join(folder, name);
    const bytes = await (isCoding(coding) ? load(file, coding) : plain(file));
    if (!bytes) return next();
    if (isCoding(coding)) response.set('content-encoding', coding);
    // The gateway's replies have no validator of their own. With it a browser asks before each use,
    // and is sent what changed.
    response
      .set({ 'cache-control': 'public, max-age=0', etag: validatorOf(bytes) })
      .type(extname(name))
      .send(bytes);
  };
  const others = methodNotAllowed('GET', 'HEAD');
  const readOnly: RequestHandler = async (request, response, next) => {
    const name = nameOf(request.path);
    const found = FILE.test(name) ? await stat(join(folder, name)).catch(() => undefined) : undefined;
    return found?.isFile() ? others(request, response, next) : next();
  };
  const files = express.static(folder, { index: false, redirect: false });
  return [
    compressed,
    (request, response, next) =>
      isReading(request) ? files(request, response, next) : readOnly(request, response, next),
  ];
};
