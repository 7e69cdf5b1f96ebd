import { expect, test } from '@jest/globals';
import { substitutionIndicator } from './substitution.ts';

test.each([
  ['nothing was compared', {}, 'UNVERIFIED'],
  ['the page and the portrait were saved together', { historyGap: 0.2 }, 'UNVERIFIED'],
  ['the portrait went through fewer files', { historyGap: 0.8 }, 'WARNING'],
  ['both portraits show one person', { secondDistance: 0.35 }, 'OK'],
  ['the portraits show two people', { secondDistance: 0.85 }, 'WARNING'],
  ['the portraits are neither alike nor different', { secondDistance: 0.7 }, 'UNVERIFIED'],
  ['a second picture shows another person', { surplusDistance: 0.85 }, 'WARNING'],
  ['a second picture shows the same person, which proves nothing of the first', { surplusDistance: 0.2 }, 'UNVERIFIED'],
  ['alike, but put in later', { historyGap: 0.8, secondDistance: 0.2 }, 'WARNING'],
])('%s', (_, traces, status) => {
  expect(substitutionIndicator(traces)).toBe(`PORTRAIT_SUBSTITUTION_${status}`);
});
