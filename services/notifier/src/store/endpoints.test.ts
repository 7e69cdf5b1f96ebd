import { connectMongo, type Database } from '@assay/mongo';
import { createSealingKeys, newDataKey } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createReseal } from '../flows/reseal.ts';
import { createEndpointStore, type Endpoint, type EndpointStore, endpointModel } from './endpoints.ts';
import { createSealer } from './sealer.ts';

const { mongoUrl, database } = testStack();
const name = database('endpoints');
let here: Database;
let elsewhere: Database;
beforeAll(async () => {
  here = await connectMongo(mongoUrl, name, quietLog);
  elsewhere = await connectMongo(mongoUrl, name, quietLog);
});
afterAll(async () => {
  await here.connection.dropDatabase();
  await here.close();
  await elsewhere.close();
});

const endpoint: Endpoint = {
  _id: 'tenant',
  url: 'https://one.example/',
  mode: 'NONE',
  attempts: 3,
  delaySeconds: 10,
  enabled: true,
  deliveryLogSeconds: 60,
  consecutiveFailures: 0,
};

const removal = { changeNumber: 1, at: new Date() };

/** Sets an endpoint in place of what is there. */
const set = async (store: EndpointStore, wanted: Endpoint): Promise<void> => {
  expect(await store.put(wanted, await store.find(wanted._id))).toBe(true);
};

test('a request that was overtaken sets and removes nothing', async () => {
  const store = createEndpointStore(endpointModel(here.connection));
  const first = { ...endpoint, _id: 'overtaken', version: 'first' };
  const late = { ...first, url: 'https://late.example/', version: 'late' };
  expect(await store.put(first, undefined)).toBe(true);
  expect(await store.put(late, undefined)).toBe(false);
  const second = { ...first, url: 'https://second.example/', version: 'second' };
  expect(await store.put(second, first)).toBe(true);
  expect(await store.put(late, first)).toBe(false);
  expect(await store.remove('overtaken', first, removal)).toBe(false);
  expect(await store.find('overtaken')).toMatchObject({ version: 'second' });
  expect(await store.remove('overtaken', second, removal)).toBe(true);
  expect(await store.put(late, second)).toBe(false);
  expect(await store.remove('overtaken', second, removal)).toBe(true);
  expect(await store.find('overtaken')).toBeUndefined();
});

test('an endpoint that this process set applies at once, one that another process set after a second at most', async () => {
  const own = createEndpointStore(endpointModel(here.connection));
  const other = createEndpointStore(endpointModel(elsewhere.connection));
  await set(own, endpoint);
  const url = async (): Promise<string | undefined> => (await own.recent('tenant'))?.url;
  expect(await url()).toBe('https://one.example/');
  await set(own, { ...endpoint, url: 'https://two.example/' });
  expect(await url()).toBe('https://two.example/');
  await set(other, { ...endpoint, url: 'https://three.example/' });
  const setAt = performance.now();
  let askedAt = setAt;
  while ((await url()) !== 'https://three.example/') {
    expect(askedAt - setAt).toBeLessThan(1000);
    askedAt = performance.now();
  }
  await own.remove('tenant', await own.find('tenant'), removal);
  expect(await url()).toBeUndefined();
});

test.each([
  ['was disabled', { enabled: false }],
  ['fails', { consecutiveFailures: 1 }],
])('an endpoint that %s applies at once when another process sets it again', async (_what, state) => {
  const own = createEndpointStore(endpointModel(here.connection));
  const other = createEndpointStore(endpointModel(elsewhere.connection));
  await set(own, { ...endpoint, ...state });
  expect(await own.recent('tenant')).toMatchObject(state);
  const onItsWay = own.recent('tenant');
  await set(other, { ...endpoint, url: 'https://mended.example/' });
  await onItsWay;
  expect(await own.recent('tenant')).toMatchObject({ url: 'https://mended.example/', enabled: true });
});

test('secrets that a former master key sealed are sealed again, once, except those that were set meanwhile', async () => {
  const endpoints = createEndpointStore(endpointModel(here.connection));
  const [former, current] = [newDataKey(), newDataKey()];
  const before = createSealer(createSealingKeys(former));
  const sealer = createSealer(createSealingKeys(current, [former]));
  const alone = createSealer(createSealingKeys(current));
  await endpoints.remove('tenant', await endpoints.find('tenant'), removal);
  const sealed = {
    sealedSecret: before.sealSecret('acme', 'new'),
    sealedFormerSecret: before.sealSecret('acme', 'old'),
  };
  await set(endpoints, { ...endpoint, _id: 'acme', ...sealed });
  await set(endpoints, { ...endpoint, _id: 'without' });
  // One secret that no key can open comes first, and does not stop the others.
  await set(endpoints, {
    ...endpoint,
    _id: 'a lost one',
    sealedSecret: createSealer(createSealingKeys(newDataKey())).sealSecret('a lost one', 'lost'),
  });
  const log = quietLog;
  expect(await createReseal({ endpoints, sealer, log })()).toBe(2);
  const { sealedSecret = '', sealedFormerSecret = '' } = (await endpoints.find('acme'))!;
  expect([sealedSecret, sealedFormerSecret].map((each) => alone.openSecret('acme', each))).toEqual(['new', 'old']);
  expect(await createReseal({ endpoints, sealer, log })()).toBe(0);

  await set(endpoints, { ...endpoint, _id: 'acme', sealedSecret: before.sealSecret('acme', 'read') });
  const replaceSecret: typeof endpoints.replaceSecret = async (...given) => {
    await set(endpoints, { ...endpoint, _id: 'acme', sealedSecret: alone.sealSecret('acme', 'set meanwhile') });
    await endpoints.replaceSecret(...given);
  };
  await createReseal({ endpoints: { ...endpoints, replaceSecret }, sealer, log })();
  expect(alone.openSecret('acme', (await endpoints.find('acme'))!.sealedSecret!)).toBe('set meanwhile');
});
