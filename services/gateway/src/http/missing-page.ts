import type { RequestHandler } from 'express';
import type { Frame } from './docs-frame.ts';

const TITLE = 'There is nothing at this address';
const CONTENT = `<h1>${TITLE}</h1>
<p>It may be mistyped, or what was there has moved. A link of the capture page works only as a whole.</p>
<p><a href="/">Start page</a>, <a href="/docs">documentation</a></p>`;

/**
 * What a person sees at an address of nothing; a program, which asks for JSON or for anything, gets
 * a problem.
 */
export const missingPage =
  (frame: Frame): RequestHandler =>
  async (request, response, next) => {
    if (request.method !== 'GET' || request.accepts(['json', 'html']) !== 'html') return next();
    response
      .status(404)
      .type('html')
      .send(await frame('', TITLE, CONTENT));
  };
