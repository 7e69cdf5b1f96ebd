import { waitFor } from '@assay/testing';
import type { Page } from 'playwright-core';

/* What the stories share in which answers come late. */

/** Requests that wait on the line until they are let through. */
export const withheld = async (page: Page, path: string) => {
  let asked = 0;
  let letThrough = (): void => undefined;
  const open = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(path, async (route) => {
    asked += 1;
    await open;
    await route.continue();
  });
  return {
    count: () => asked,
    isAsked: () => waitFor('the request', async () => asked > 0),
    letThrough,
  };
};

/** What follows from an answer has happened once the page was drawn again. */
export const drawn = (page: Page) =>
  page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))');
