import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reportText } from './command/report-text.ts';
import { oneLine, withoutSteering } from './unseen.ts';

test.each([
  ['\u001b]0;title\u0007\u001b[2JGOOD', '\\u001b]0;title\\u0007\\u001b[2JGOOD'],
  ['\u009b31mred\r', '\\u009b31mred\\u000d'],
  ['Ann \u202eeoD', 'Ann \\u202eeoD'],
  ['GO\u200bOD\u200e', 'GO\\u200bOD\\u200e'],
  ['GO\u200dOD\u00ad\u3164', 'GO\\u200dOD\\u00ad\\u3164'],
  ['GOOD\u2028REFUSED\u{e0041}', 'GOOD\\u2028REFUSED\\udb40\\udc41'],
  ['\u0645\u06cc\u200c\u062e\u0648', '\u0645\u06cc\u200c\u062e\u0648'],
  ['Zoë Österreich\tمحمد\n', 'Zoë Österreich\tمحمد\n'],
])('%j is shown as %j', (text, shown) => expect(withoutSteering(text)).toBe(shown));

test('a name with breaks in it stays one line, in a report as well', () => {
  const name = 'images/a.jpg\n\tGOOD: this proof is complete';
  expect(oneLine(name)).toBe('images/a.jpg\\u000a\\u0009GOOD: this proof is complete');
  const reasons = [{ check: 'hashes' as const, reason: 'a file is missing', where: name }];
  const text = reportText({ ok: false, checks: [], files: [], reasons });
  expect(text.split('\n').filter((line) => /GOOD/.test(line))).toEqual([expect.stringMatching(/^- hashes: /)]);
});

test('JSON has the same values afterwards', () => {
  const value = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.oneof(fc.string({ unit: 'binary' }), fc.integer()));
  fc.assert(fc.property(value, (said) => expect(JSON.parse(withoutSteering(JSON.stringify(said)))).toEqual(said)));
});

test('commands write to the terminal through print.ts only', () => {
  const folder = join(import.meta.dirname, 'command');
  const writers = readdirSync(folder)
    .filter((name) => !name.includes('.test.'))
    .filter((name) => /process\.std(out|err)\.write|console\./.test(readFileSync(join(folder, name), 'utf8')));
  expect(writers).toEqual(['print.ts']);
});
