import { expect, test } from '@jest/globals';
import { agreement, caseOf, compared, documentChip, documentImage, portrait } from '../testing/case-builders.ts';
import type { Case, CaseEvidence } from './case.ts';
import { facesToDescribe, openPairs } from './face-pairs.ts';
import type { CaseFacts, EvidenceFacts } from './facts.ts';

const described = (one: EvidenceFacts): CaseEvidence => ({ ...one, sealed: { face: 'face' }, crops: [], media: [] });
const stored = (one: EvidenceFacts): CaseEvidence => ({
  ...one,
  sealed: {},
  undescribed: 'medium',
  crops: [],
  media: [],
});
const caseWith = (evidences: CaseEvidence[], more: Partial<CaseFacts> = {}): Case => ({
  ...caseOf(evidences, { comparisons: [], ...more }),
  ...{ _id: 'identity', tenantId: 'tenant', revision: 1, deleted: [], evidences },
});
const pairsOf = (current: Case) => openPairs(current).map((pair) => pair.map(({ evidenceId }) => evidenceId));
const same = agreement('a', 'b', 'AGREE', { sameDocument: true });

test('a portrait is compared with every document, two documents only where they are one', () => {
  const [a, b, p] = [documentImage('a'), documentImage('b'), portrait('p')].map(described);
  expect(pairsOf(caseWith([a!, b!, p!]))).toEqual([
    ['p', 'a'],
    ['p', 'b'],
  ]);
  expect(pairsOf(caseWith([a!, b!], { agreements: [same] }))).toEqual([['b', 'a']]);
});

test('two faces are compared once, whichever came first', () => {
  const [a, b] = [documentImage('a'), documentImage('b')].map(described);
  for (const known of [compared('a', 'b', 0.5), compared('b', 'a', 0.5)])
    expect(pairsOf(caseWith([a!, b!], { agreements: [same], comparisons: [known] }))).toEqual([]);
});

test('no chip is described for its picture alone, but compared with it once it was', () => {
  const [image, selfie] = [documentImage('a'), portrait('p')].map(described);
  const chip = documentChip('b');
  const waiting = caseWith([image!, stored(chip)], { agreements: [same] });
  expect([pairsOf(waiting), facesToDescribe(waiting)]).toEqual([[], []]);
  expect(facesToDescribe(caseWith([image!, stored(chip), selfie!], { agreements: [same] }))).toHaveLength(1);
  expect(pairsOf(caseWith([image!, described(chip)], { agreements: [same] }))).toEqual([['b', 'a']]);
});
