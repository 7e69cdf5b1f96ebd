import { describe, expect, test } from '@jest/globals';
import { type Html, html, rows } from './html.ts';

const SCRIPT = '<script>alert(1)</script>';

describe('a template of HTML', () => {
  test('escapes text, and inserts the result of another template unchanged', () => {
    expect(html`<p>${SCRIPT}${html`<b>${'&'}</b>`}</p>`.markup).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;<b>&amp;</b></p>',
    );
  });

  test('shows characters that would turn the direction of a name, or end the text, in visible form', () => {
    expect(html`<td>${'Ann\u202e\u0000eoD'}</td>`.markup).toBe('<td>Ann\\u202e\\u0000eoD</td>');
  });

  test.each<[string, unknown]>([
    ['an object read from JSON', JSON.parse(JSON.stringify({ markup: SCRIPT }))],
    ['one with a text of its own', { markup: SCRIPT, toString: () => SCRIPT }],
    ['one in a list', [{ markup: SCRIPT }]],
    ['one made after ours', { ...html`<b></b>`, markup: SCRIPT }],
  ])('%s is no markup, whatever its members', (_what, value) => {
    const text = html`<td>${value as Html}</td>${rows({ Surname: value as string })}`.markup;
    expect(text).not.toContain('<script');
  });
});
