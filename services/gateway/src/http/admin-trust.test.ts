import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const entry = (country: string, day: number) => ({
  ...{ id: `${country}-${day}`.padEnd(64, '0'), sha256: 'f'.repeat(64), source: 'a list', sources: ['a list'] },
  ...{ country, subject: `C=${country}`, level: 'MASTER_LIST', notBefore: `2026-01-${day}T00:00:00.000` },
});
/** In the order of the trust store: by country, then by time. */
const ENTRIES = [entry('', 12), entry('AT', 11), entry('AT', 12), entry('DE', 10), entry('DE', 11), entry('FR', 10)];
const listed = async (query: string) => (await rig.admin.get(`/admin/v1/trust/csca${query}`)).body;

test('a list of the trust store comes whole where no page is asked for, as it always did', async () => {
  rig.asked.trust = ENTRIES;
  expect(await listed('')).toEqual({ items: ENTRIES });
});

test('its pages lead to each entry once, also where one is removed in between', async () => {
  rig.asked.trust = ENTRIES;
  const first = await listed('?limit=2');
  expect(first.items).toEqual(ENTRIES.slice(0, 2));
  rig.asked.trust = ENTRIES.filter((_, at) => at !== 1);
  const second = await listed(`?limit=2&cursor=${encodeURIComponent(first.cursor)}`);
  expect(second.items).toEqual(ENTRIES.slice(2, 4));
  const last = await listed(`?cursor=${encodeURIComponent(second.cursor)}`);
  expect(last).toEqual({ items: ENTRIES.slice(4) });
  expect((await listed('?limit=0')).errors).toMatchObject([{ code: '1006', field: 'limit' }]);
});

test('a trust file may be sent with blanks behind the boundaries', async () => {
  const part = (head: string, content: string) =>
    `--B \t\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const body = `${part('name="source"', 'a list')}${part('name="file"; filename="f"', 'bytes\r\n--')}--B-- \r\n`;
  const { status } = await fetch(`${rig.baseUrl}/admin/v1/trust/csca`, {
    method: 'POST',
    headers: { apikey: rig.administrator, 'content-type': 'multipart/form-data; boundary=B' },
    body,
  });
  expect(status).toBe(200);
  expect(rig.asked.trustFiles).toEqual([{ file: Buffer.from('bytes\r\n--').toString('base64'), source: 'a list' }]);
});
