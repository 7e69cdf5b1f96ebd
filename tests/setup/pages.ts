import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserPath } from './browser.mjs';

/** A browser for the stories of the pages; `more` are further arguments of Chromium. */
export const launchBrowser = (more: string[] = []): Promise<Browser> => {
  // The machine's typefaces, not only those that specimens are drawn with.
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
 * No serious or critical fault of accessibility on the page as it is, or in a part of a long
 * one; with `any`, no fault at all.
 */
export const isAccessible = async (page: Page, part = 'html', least: 'serious' | 'any' = 'serious'): Promise<void> => {
  // Half a megabyte of script, which would be read twice for each look: once for each page does.
  const isThere = await page.evaluate("typeof window.axe === 'object'");
  // Our pages hold no frames of others, so no second page has to put results together; what was
  // found right need not be described.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ';' } : {}) })
    .include(part)
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(true);
  const { violations } = await axe.analyze();
  const found = violations.filter(({ impact }) => least === 'any' || impact === 'serious' || impact === 'critical');
  expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
};

/** A picture of the page as it is, where SCREENSHOTS names a folder for them. */
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
 * A picture of the page as it is, and four of its looks: on a phone and a desktop, light and
 * dark. The page gets its own size and colours back.
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
