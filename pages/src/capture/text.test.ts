import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, type ErrorName } from '@assay/contracts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { HINTS } from './measure.ts';
import { fill } from './placeholders.ts';
import { REASON_NAMES, reasonsOf } from './reasons.ts';
import { learn } from './translations.ts';

const folder = join(import.meta.dirname, 'strings');
const strings = new Map(
  readdirSync(folder).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>,
  ]),
);
const english = strings.get('en')!;
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe.each(['de', 'fr', 'es', 'pt', 'ar', 'ja'])('the strings in %s', (language) => {
  const own = strings.get(language) ?? {};
  test('are complete, without unused ones', () => expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort()));
  test.each(Object.entries(english))('%s is translated, with the same placeholders', (key, text) => {
    expect(own[key]?.trim()).toBeTruthy();
    expect(placeholders(own[key]!)).toEqual(placeholders(text));
  });
  test('are not the English ones', () => {
    const same = Object.keys(english).filter((key) => own[key] === english[key]);
    // "Code" and the like are the same word in some languages.
    expect(same.length).toBeLessThan(4);
  });
});

/** Keys as the page's sources contain them. Keys that are composed are listed below. */
const sources = readdirSync(import.meta.dirname)
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n');
const written = [...sources.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(([, key]) => key!);
const STEPS = ['DOCUMENT', 'CHIP', 'PORTRAIT', 'EMAIL', 'MOBILE'];

test('every string that the page uses exists', () => {
  const made = [
    ...HINTS.map((hint) => `hint.${hint}`),
    ...REASON_NAMES.map((reason) => `reason.${reason}`),
    ...STEPS.flatMap((step) => [`start.${step}`, `result.${step}`]),
  ];
  expect(written.length).toBeGreaterThan(30);
  expect([...written, ...made].filter((key) => !(key in english))).toEqual([]);
});

test('a value keeps its own direction in a language that is read from the right', () => {
  expect(fill('rtl', 'إلى {value}.', { value: '+41 79 123' })).toBe('إلى \u2068+41 79 123\u2069.');
  expect(fill('ltr', 'an {value}.', { value: '+41 79 123' })).toBe('an +41 79 123.');
  expect(fill('rtl', '{unknown}', {})).toBe('{unknown}');
});

test('each error belongs to at most one reason', () => {
  expect(reasonsOf([{ code: '1504' }, { code: '1582' }, { code: '1533' }])).toEqual(['refused', 'blur']);
  expect(reasonsOf([{ code: '9999' }])).toEqual(['other']);
  expect(reasonsOf(undefined)).toEqual(['other']);
});

/**
 * Errors without a sentence of their own. Some end the page or make it wait: there is no reference
 * yet, or the session is over or on another device. The others are defects, or do not concern what
 * this page sends.
 */
const UNEXPLAINED: ErrorName[] = [
  ...(['NO_REFERENCE', 'UNAUTHENTICATED', 'NOT_FOUND', 'STATE_CONFLICT', 'CLOSED', 'SESSION_ELSEWHERE'] as const),
  ...(['WRONG_ROLE', 'FOREIGN_ORIGIN', 'NO_SANDBOX', 'METHOD_NOT_ALLOWED', 'NOT_ACCEPTABLE'] as const),
  ...(['UNSUPPORTED_MEDIA_TYPE', 'IDEMPOTENCY_MISMATCH', 'INTERNAL', 'UPSTREAM', 'PROCESSING_FAILED'] as const),
  ...(['PROOF_WHILE_PROCESSING', 'PROOF_NOT_READY', 'ATTRIBUTES_DISAGREE'] as const),
];

test('every other error has a sentence of its own', () => {
  const names = Object.keys(ERRORS) as ErrorName[];
  const isUnexplained = (name: ErrorName) => reasonsOf([ERRORS[name]]).includes('other');
  expect(names.filter(isUnexplained).sort()).toEqual(UNEXPLAINED.sort());
});

test('an unusable face has a sentence for each thing to change', () => {
  const message =
    'The portrait cannot be used: the face is too dark, half of the face is in shadow. Turn to the light.';
  expect(reasonsOf([{ code: '1570', message }])).toEqual(['face.TOO_DARK', 'face.UNEVEN_LIGHT']);
  expect(reasonsOf([{ code: '1570', message: 'The portrait cannot be used' }])).toEqual(['face']);
});

describe('a language whose strings do not arrive leaves the page in English', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
  });
  const broken = () =>
    new ReadableStream({
      start: (stream) => stream.error(new TypeError('the connection broke off')),
    });
  test.each([
    ['nobody answers', () => Promise.reject(new TypeError('no answer'))],
    ['it is not there', () => Promise.resolve(new Response('', { status: 404 }))],
    ['another page answers', () => Promise.resolve(new Response('<html>Sign in to this network</html>'))],
    ['it breaks off', () => Promise.resolve(new Response(broken()))],
  ])('%s', async (_what, answer) => {
    globalThis.fetch = answer;
    expect(await learn('de')).toBe('en');
  });
});
