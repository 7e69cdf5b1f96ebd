import { ApiError, type InternalClient } from '@assay/http';
import { newId } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import { expect, test } from '@jest/globals';
import { createIntakeClient } from './intake.ts';

const caller = { id: newId(), tenantId: newId(), identityId: newId() };
const crop = {
  evidenceId: newId(),
  mediaId: newId(),
  originalMediaId: newId(),
  jpeg: Buffer.from('a picture'),
  at: 12,
};

/** An evidence-intake that answers each call in turn, with what it was sent. */
const played = (...answers: (ApiError | undefined)[]) => {
  const sent: { query: string; bytes: string }[] = [];
  const client = {
    putBytes: async (path: string, _claims: unknown, bytes: Buffer) => {
      sent.push({ query: path.split('?')[1]!, bytes: bytes.toString() });
      const answer = answers.shift();
      if (answer) throw answer;
    },
  } as unknown as InternalClient;
  const keyring = { keyOf: async () => Buffer.alloc(32) } as unknown as Keyring;
  return { sent, storeCrop: createIntakeClient(client, keyring).storeCrop };
};

test('a crop that a file of a chip has is named by its place', async () => {
  const { sent, storeCrop } = played();
  expect(await storeCrop(caller, crop)).toBe(true);
  expect(sent).toEqual([{ query: expect.stringMatching(/&at=12&bytes=9&crc32=\d+$/), bytes: '' }]);
});

test('its bytes are sent to a former release, which misses them', async () => {
  const { sent, storeCrop } = played(new ApiError('BAD_FIELD'));
  expect(await storeCrop(caller, crop)).toBe(true);
  expect(sent.map(({ bytes }) => bytes)).toEqual(['', 'a picture']);
});

test('it is not stored where its evidence was deleted', async () => {
  const { sent, storeCrop } = played(new ApiError('NOT_FOUND'));
  expect(await storeCrop(caller, crop)).toBe(false);
  expect(sent).toHaveLength(1);
});
