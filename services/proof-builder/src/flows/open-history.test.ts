import { EVENTS, QUEUES } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { OPENED_TYPES } from './open-history.ts';

/** Sealed under the notice key for the notifier: the identity's key does not open it. */
const OF_OTHERS = ['sealedBusinessId'];

test('every member that an event of the history seals under the key of its identity is opened', () => {
  const heard = QUEUES['proof-builder.history'] ?? [];
  const sealing = EVENTS.filter(({ type, envelope }) => {
    const names = JSON.stringify(envelope).match(/(?<=")sealed\w+(?=":)/g) ?? [];
    return heard.includes(type) && names.some((name) => !OF_OTHERS.includes(name));
  });
  expect(OPENED_TYPES.toSorted()).toEqual(sealing.map(({ type }) => type).sort());
});
