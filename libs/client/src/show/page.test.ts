import { expect, test } from '@jest/globals';
import { proofPage } from './page.ts';

test('images are on white, whatever the colours of the page: what is transparent is so to the engine', () => {
  const page = proofPage({ ok: true, reasons: [], checks: [], files: [] });
  const [, ofImages] = /[ }]img \{([^}]*)\}/.exec(page) ?? [];
  expect(ofImages).toContain('background: #fff;');
});
