import { waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { createSendingLimit } from './sending-limit.ts';

test('beyond 200 messages of a channel the next come back unread, the later where nothing is sent', async () => {
  const { within, close } = createSendingLimit();
  const ends: (() => void)[] = [];
  const hang = () => new Promise<void>((resolve) => ends.push(resolve));
  const sends = Array.from({ length: 200 }, () => within('EMAIL', hang));
  let reads = 0;
  const read = async (): Promise<void> => {
    reads += 1;
  };

  await expect(within('EMAIL', read)).rejects.toMatchObject({ name: 'RetryLater', delayMs: 30_000 });
  expect(reads).toBe(0);
  await within('MOBILE', read);
  expect(reads).toBe(1);

  await waitFor('the first to go out', () => ends.length === 10);
  ends[0]?.();
  await sends[0];
  const next = within('EMAIL', hang);
  await expect(within('EMAIL', read)).rejects.toMatchObject({ delayMs: 5000 });
  const waiting = Promise.allSettled([...sends, next]);
  await close();
  for (const end of ends) end();
  const outcomes = await waiting;
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(11);
});
