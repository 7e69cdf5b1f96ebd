import { table } from '@assay/contracts/table';
import { withoutSteering } from '../unseen.ts';

/**
 * Markup that may be put into a page as it is. Only this file makes such objects: one of the same
 * shape, read from JSON, counts as text.
 */
export interface Html {
  readonly markup: string;
}

const made = new WeakSet<object>();

/**
 * Markup of our own that is no template, such as a style sheet. Never give it anything that was
 * read from a proof.
 */
export const ownMarkup = (markup: string): Html => {
  const one = Object.freeze({ markup });
  made.add(one);
  return one;
};

const ENTITIES = table<string>({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
});
const escaped = (text: string): string =>
  withoutSteering(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);

type Part = Html | string | number | undefined | false | readonly Part[];

const markupOf = (part: Part): string => {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  if (Array.isArray(part)) return part.map(markupOf).join('');
  return made.has(part) ? (part as Html).markup : escaped(String(part));
};

/**
 * A template of HTML: whatever is put in is escaped unless it came out of such a template itself.
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  ownMarkup(strings.reduce((page, text, at) => page + text + (at < parts.length ? markupOf(parts[at]) : ''), ''));

const isList = <T>(fields: object | readonly T[]): fields is readonly T[] => Array.isArray(fields);

type Row = readonly [name: string, value: string | undefined];

/**
 * A table of what is there; rows without a value are left out. A list may have several rows of one
 * name.
 */
export const rows = (fields: Readonly<Record<string, string | undefined>> | readonly Row[]): Html =>
  html`<table>${(isList(fields) ? fields : Object.entries(fields))
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</table>`;
