import { escaped } from '../page/page.ts';
import { type Behaviour, MODES } from './behaviour.ts';
import type { Questions } from './questions.ts';

const WORDS: Readonly<Record<(typeof MODES)[number], string>> = {
  ok: 'answers from its records',
  outage: 'is down, or says that its own source is',
  slow: 'answers late, within the time allowed',
  malformed: 'answers with what cannot be read',
  late: 'answers when nobody waits any more',
};

const option = (mode: (typeof MODES)[number], current: Behaviour): string =>
  `<option value="${mode}"${mode === current.mode ? ' selected' : ''}>${WORDS[mode]}</option>`;

const row = ([document, times]: [string, number]): string => `<tr><td>${escaped(document)}</td><td>${times}</td></tr>`;

const asked = ({ count, byDocument }: ReturnType<Questions<unknown>['counts']>): string => {
  const newest = Object.entries(byDocument).slice(-50).reverse().map(row).join('');
  if (count === 0) return '<p>Nobody has asked yet.</p>';
  return `<p>${count} in all.</p><table><tr><th>Document number</th><th>Times</th></tr>${newest}</table>`;
};

/**
 * What a simulated source does when it is asked, to be switched; and what it was asked, as markup.
 */
export const switches = (current: Behaviour, counts: ReturnType<Questions<unknown>['counts']>): string =>
  `<form method="post" action="/switch"><label>From now on it` +
  `<select name="mode">${MODES.map((mode) => option(mode, current)).join('')}</select></label>` +
  `<button>Switch</button></form>` +
  `<p>Programs put <code>/behaviour</code> for more: a share of the questions, a delay, single jurisdictions.</p>` +
  `<h2>Questions</h2>${asked(counts)}<p><a href="/">Refresh</a>, or <a href="/requests">JSON</a> for programs.</p>`;
