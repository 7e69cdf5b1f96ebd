import type { VerificationAndEvaluationDetails as Element, Identity, Proof } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { elementSection } from './element.ts';

const bare = (name: Element['identityOperation']['name'], more: Partial<Element>): string =>
  elementSection(
    {
      identityOperation: { id: 'one', name, type: 'ADD' },
      participantContextId: 'one',
      progress: 'DONE',
      startDateTime: '2026-03-02T10:00:00.000',
      ...more,
    },
    { proof: { hashes: {} } as Proof, identity: {} as Identity, elements: [], images: new Map() },
  ).markup;

test('every line of a street is shown, though they have one key', () => {
  const metadata = ['FLAT 3', '1 SPECIMEN STREET'].map((value) => ({ key: 'streetLine', value }));
  const page = bare('ATTRIBUTES', {
    evidenceDetails: { id: 'one', family: 'ADDRESS', type: 'ADDRESS', data: { metadata } },
  });
  for (const { value } of metadata) expect(page).toContain(`<td>${value}</td>`);
});

test('every file of a submission is shown, with what was stated about them', () => {
  const metadata = [
    { key: 'kind', value: 'contract' },
    { key: 'furtherFileId', value: 'file-2' },
  ];
  const page = bare('ADDITIONAL_FILE', { additionalFile: { id: 'file-1', metadata } });
  expect(page).toContain('Additional file</th><td>file-1</td>');
  expect(page).toContain('Additional file</th><td>file-2</td>');
  expect(page).toContain('<td>kind: contract</td>');
});

test.each([
  [{ approved: true }, 'the person agreed'],
  [{ approved: true, validityPeriod: { to: '2026-03-01' } }, 'the person agreed, until 2026-03-01'],
  [
    { approved: true, validityPeriod: { from: '2026-01-01', to: '2026-03-01' } },
    'the person agreed, from 2026-01-01, until 2026-03-01',
  ],
  [{ approved: false, validityPeriod: { from: '2026-01-01' } }, 'the person refused, from 2026-01-01'],
])('a consent says when it holds: %j', (given, words) => {
  const consents = [{ consentId: 'one', type: 'PORTRAIT' as const, ...given }];
  expect(bare('CONSENTS', { consentsDetails: { consents } })).toContain(`Portrait</th><td>${words}</td>`);
});
