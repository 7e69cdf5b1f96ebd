import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserPath } from './browser.mjs';

/** A browser for the stories about pages. `more` are further arguments of Chromium. */
export const launchBrowser = (more: string[] = []): Promise<Browser> => {
  // Uses the machine's fonts, not only those with which specimens are drawn.
  const { FONTCONFIG_FILE: _, ...env } = process.env;
  return chromium.launch({
    executablePath: browserPath(),
    env: env as Record<string, string>,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
};

/**
 * Expects no serious or critical accessibility fault on the page, or in a part of a long page; with
 * `any`, no fault at all.
 */
export const isAccessible = async (page: Page, part = 'html', least: 'serious' | 'any' = 'serious'): Promise<void> => {
  // The script is half a megabyte and would be sent with each check; once for each page is enough.
  const isThere = await page.evaluate("typeof window.axe === 'object'");
  // Our pages contain no frames of other sites, so no second page has to merge results. Passed
  // checks need no description.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ';' } : {}) })
    .include(part)
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(true);
  const { violations } = await axe.analyze();
  const found = violations.filter(({ impact }) => least === 'any' || impact === 'serious' || impact === 'critical');
  expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
};

/** A picture of the page as it is, if SCREENSHOTS names a folder. */
export const picture = async (name: string, page: Page, fullPage = true): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
};

const LOOKS = [
  { look: 'phone', viewport: { width: 390, height: 844 } },
  { look: 'desktop', viewport: { width: 1280, height: 900 } },
];

/**
 * A picture of the page as it is, and four more: on a phone and a desktop, light and dark.
 * Afterwards the page has its own size and colours again.
 */
export const pictures = async (name: string, page: Page): Promise<void> => {
  if (!process.env.SCREENSHOTS) return;
  await picture(name, page);
  const before = page.viewportSize();
  for (const { look, viewport } of LOOKS) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(`${name}@${look}-${colorScheme}`, page);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
};
