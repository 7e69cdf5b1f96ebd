import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newIdentity, specimen, type Tenant } from '@assay/testing';
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { isAccessible, launchBrowser, pictures } from './pages.ts';

/* What the stories of the capture page share. */

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** Frames per second of the camera: more than the page looks at. */
const RATE = 10;

/** A frame of a film (YUV 4:2:0): one brightness for each pixel, one colour for each four. */
const frameOf = async (picture: Sharp, { width, height }: { width: number; height: number }): Promise<Buffer> => {
  const rgb = await picture.removeAlpha().raw().toBuffer();
  const mixed = (at: number, [r, g, b]: readonly [number, number, number], from: number): number =>
    from + r * rgb[at * 3]! + g * rgb[at * 3 + 1]! + b * rgb[at * 3 + 2]!;
  const lightness = Buffer.alloc(width * height);
  for (let at = 0; at < lightness.length; at += 1) lightness[at] = mixed(at, [0.257, 0.504, 0.098], 16);
  const colour = (weights: readonly [number, number, number]): Buffer => {
    const row = width / 2;
    const plane = Buffer.alloc(lightness.length / 4);
    for (let at = 0; at < plane.length; at += 1)
      plane[at] = mixed(Math.floor(at / row) * 2 * width + (at % row) * 2, weights, 128);
    return plane;
  };
  return Buffer.concat([lightness, colour([-0.148, -0.291, 0.439]), colour([0.439, -0.368, -0.071])]);
};

/** A film of two frames: the passport on a dark table. */
const film = async (): Promise<string> => {
  const size = { width: 1280, height: 960 };
  const passport = await sharp(specimen('passport.jpg')).resize(1240, 860, { fit: 'inside' }).toBuffer();
  const table = sharp({ create: { ...size, channels: 3, background: '#333b44' } });
  const picture = sharp(
    await table
      .composite([{ input: passport, gravity: 'centre' }])
      .png()
      .toBuffer(),
  );
  const frame = Buffer.concat([Buffer.from('FRAME\n'), await frameOf(picture, size)]);
  const head = Buffer.from(`YUV4MPEG2 W${size.width} H${size.height} F${RATE}:1 Ip A1:1 C420jpeg\n`);
  const file = join(mkdtempSync(join(tmpdir(), 'film-')), 'passport.y4m');
  writeFileSync(file, Buffer.concat([head, frame, frame]));
  return file;
};

/** A browser whose camera sees the passport. */
export const launchWithCamera = async (): Promise<Browser> =>
  launchBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${await film()}`,
  ]);

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
export const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name }).waitFor();
export const choose = (page: Page, file: string): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(join(import.meta.dirname, '../../specimens', file));
export const agree = async (page: Page): Promise<void> => {
  await page.getByRole('checkbox', { name: 'I agree' }).check();
  await press(page, 'Begin');
};

/** A link as a relying service gets it, not opened yet. */
export const newLink = async (tenant: Tenant, steps: string[], query = '') => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await tenant.relyingService.post(`${identity.at}/user-agent-sessions`, { steps });
  return { identity, url: body.url.replace('/capture#', `/capture${query}#`) as string };
};

interface Beginning {
  by: Browser;
  whose: Tenant;
  /** Called before the page loads. */
  prepare?: ((page: Page) => Promise<unknown>) | undefined;
}

/** Opens a new link on a phone. */
export const openedOnPhone = async (steps: string[], { by, whose, prepare }: Beginning) => {
  const { url, identity } = await newLink(whose, steps);
  const page = await (await by.newContext(PHONE)).newPage();
  await prepare?.(page);
  await page.goto(url);
  return { page, identity };
};

/** Screen sizes on which every step must work: the narrowest phone, a phone, a desktop. */
const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

interface Measured {
  primary: number;
  headings: number;
  /** Controls that are too small for a finger, and pairs of controls without space between. */
  small: string[];
  crowded: string[];
  faint: string[];
  isWide: boolean;
}

/** Runs in the page and measures it. Half pixels are due to rounding. */
const MEASURE = `(() => {
  const FINGER = 43.5, GAP = 7.5, TEXT = 14, TYPED = 16;
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1;
  const name = (element) => element.tagName + ' ' + (element.textContent || element.value).trim().slice(0, 40);
  const controls = [...document.querySelectorAll('button, a[href], select, input')].filter(shown);
  const targets = [...new Set(controls.map((one) => one.closest('label.check, label.file') ?? one))];
  const boxes = targets.map((one) => [one, one.getBoundingClientRect()]);
  const near = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom + GAP && b.top < a.bottom + GAP;
  const texts = [...document.querySelectorAll('body *')].filter((one) =>
    shown(one) && !one.closest('.visually-hidden') && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const size = (one) => parseFloat(getComputedStyle(one).fontSize);
  return {
    primary: [...document.querySelectorAll('.primary')].filter(shown).length,
    headings: [...document.querySelectorAll('h1')].filter(shown).length,
    small: boxes.filter(([, box]) => box.height < FINGER || box.width < FINGER).map(([one]) => name(one)),
    crowded: boxes.flatMap(([one, box], at) => boxes.slice(at + 1).filter(([, other]) => near(box, other)).map(([other]) => name(one) + ' | ' + name(other))),
    faint: [...texts.filter((one) => size(one) < TEXT), ...controls.filter((one) => one.matches('select, input:not([type=checkbox])') && size(one) < TYPED)].map(name),
    isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  };
})()`;

/**
 * Checks a step on each size: no finding of axe, one main action, controls for fingers, readable
 * text, nothing to scroll sideways. Also takes its pictures. `actions` is the number of main
 * buttons: one, or none if there is nothing to press or only equal choices.
 */
export const isGoodStep = async (page: Page, name?: string, actions = 1): Promise<void> => {
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const measured = (await page.evaluate(MEASURE)) as Measured;
    expect({ step: name, ...size, ...measured }).toEqual({
      ...{ step: name, ...size, primary: actions, headings: 1, small: [], crowded: [], faint: [], isWide: false },
    });
    if (size !== SIZES[0]) await isAccessible(page, 'html', 'any');
  }
  if (before) await page.setViewportSize(before);
  if (name) await pictures(name, page);
};
