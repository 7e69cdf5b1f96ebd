import type { TimelineItem } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { longestFlow } from '../testing/longest-flow.ts';
import { startProofBuilder } from '../testing/rig.ts';

const flow = longestFlow('told');
let service: Awaited<ReturnType<typeof startProofBuilder>>;
beforeAll(async () => {
  service = await startProofBuilder([flow]);
  await service.publish(flow.events);
  const stored = () => service.mongodb.connection.collection('histories').countDocuments();
  await waitFor('the history', async () => (await stored()) === flow.events.length);
});
afterAll(() => service.close());

const PERSONAL = ['order-7', 'specimen@mail.example', '+61255500100'];

test('the timeline has every event, oldest first, and nothing personal', async () => {
  const text = await (await service.call(flow, '/history')).text();
  const { items } = JSON.parse(text) as { items: TimelineItem[] };
  expect(items).toHaveLength(flow.events.length);
  expect(items[0]).toMatchObject({ kind: 'EVENT', type: 'identity.created', details: { policy: 'default' } });
  expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).sort());
  const evaluation = items.findLast(({ kind }) => kind === 'EVALUATION');
  expect(evaluation?.details).toMatchObject({ levelOfAssurance: 'LOA2' });
  expect(text).not.toMatch(/sealed/);
  for (const personal of PERSONAL) expect(text).not.toContain(personal);
});

test('the opened history has the sealed data, and the media of what was not deleted', async () => {
  const text = await (await service.call(flow, '/history/opened')).text();
  const { history, media } = JSON.parse(text) as { history: { at: string }[]; media: { mediaId: string }[] };
  expect(history).toHaveLength(flow.events.length);
  for (const { at } of history) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
  for (const personal of PERSONAL) expect(text).toContain(personal);
  expect(text).not.toMatch(/"sealed/);
  const known = [...flow.media.values()].flat().map(({ mediaId }) => mediaId);
  expect(media.length).toBeGreaterThan(1);
  expect(known).toEqual(expect.arrayContaining(media.map(({ mediaId }) => mediaId)));
});

test('another identity gets none of it', async () => {
  const other = longestFlow('another');
  expect(await (await service.call(other, '/history')).json()).toEqual({ items: [] });
  expect(await (await service.call(other, '/history/opened')).json()).toEqual({ history: [], media: [] });
});
