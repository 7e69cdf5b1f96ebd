import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Puts content under a title into the frame of the documentation, as the page at an address. */
export type Frame = (path: string, title: string, content: string) => Promise<string>;

/** Where the pages were not built, as in this service's own tests. */
const BARE = '<!doctype html><html lang="en"><head><title>{{title}}</title></head><body>{{content}}</body></html>';

/**
 * The frame that the build left in `folder`. It is read anew for each page: few are asked for, and
 * memory is for other things.
 */
export const docsFrame =
  (folder: string): Frame =>
  async (path, title, content) => {
    const frame = await readFile(join(folder, 'shell.html'), 'utf8').catch(() => BARE);
    return frame
      .replace('{{title}}', () => title)
      .replace(`href="${path}"`, `href="${path}" aria-current="page"`)
      .replace('{{contents}}', '')
      .replace('{{content}}', () => content);
  };
