import { connectMongo, type Database } from '@assay/mongo';
import { createSealingKeys, newDataKey } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createReseal } from '../flows/reseal.ts';
import { createEndpointStore, type Endpoint, endpointModel } from './endpoints.ts';
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

test('an endpoint that this process set applies at once, one that another process set after a second at most', async () => {
  const own = createEndpointStore(endpointModel(here.connection));
  const other = createEndpointStore(endpointModel(elsewhere.connection));
  await own.put(endpoint);
  const url = async (): Promise<string | undefined> => (await own.recent('tenant'))?.url;
  expect(await url()).toBe('https://one.example/');
  await own.put({ ...endpoint, url: 'https://two.example/' });
  expect(await url()).toBe('https://two.example/');
  await other.put({ ...endpoint, url: 'https://three.example/' });
  const setAt = performance.now();
  let askedAt = setAt;
  while ((await url()) !== 'https://three.example/') {
    expect(askedAt - setAt).toBeLessThan(1000);
    askedAt = performance.now();
  }
  await own.remove('tenant');
  expect(await url()).toBeUndefined();
});

test.each([
  ['was disabled', { enabled: false }],
  ['fails', { consecutiveFailures: 1 }],
])('an endpoint that %s applies at once when another process sets it again', async (_what, state) => {
  const own = createEndpointStore(endpointModel(here.connection));
  const other = createEndpointStore(endpointModel(elsewhere.connection));
  await own.put({ ...endpoint, ...state });
  expect(await own.recent('tenant')).toMatchObject(state);
  const onItsWay = own.recent('tenant');
  await other.put({ ...endpoint, url: 'https://mended.example/' });
  await onItsWay;
  expect(await own.recent('tenant')).toMatchObject({ url: 'https://mended.example/', enabled: true });
});

test('secrets that a former master key sealed are sealed again, once, except those that were set meanwhile', async () => {
  const endpoints = createEndpointStore(endpointModel(here.connection));
  const [former, current] = [newDataKey(), newDataKey()];
  const before = createSealer(createSealingKeys(former));
  const sealer = createSealer(createSealingKeys(current, [former]));
  const alone = createSealer(createSealingKeys(current));
  await endpoints.remove('tenant');
  const sealed = {
    sealedSecret: before.sealSecret('acme', 'new'),
    sealedFormerSecret: before.sealSecret('acme', 'old'),
  };
  await endpoints.put({ ...endpoint, _id: 'acme', ...sealed });
  await endpoints.put({ ...endpoint, _id: 'without' });
  // One secret that no key can open comes first, and does not stop the others.
  await endpoints.put({
    ...endpoint,
    _id: 'a lost one',
    sealedSecret: createSealer(createSealingKeys(newDataKey())).sealSecret('a lost one', 'lost'),
  });
  const log = quietLog;
  expect(await createReseal({ endpoints, sealer, log })()).toBe(2);
  const { sealedSecret = '', sealedFormerSecret = '' } = (await endpoints.find('acme'))!;
  expect([sealedSecret, sealedFormerSecret].map((each) => alone.openSecret('acme', each))).toEqual(['new', 'old']);
  expect(await createReseal({ endpoints, sealer, log })()).toBe(0);

  await endpoints.put({ ...endpoint, _id: 'acme', sealedSecret: before.sealSecret('acme', 'read') });
  const replaceSecret: typeof endpoints.replaceSecret = async (...given) => {
    await endpoints.put({ ...endpoint, _id: 'acme', sealedSecret: alone.sealSecret('acme', 'set meanwhile') });
    await endpoints.replaceSecret(...given);
  };
  await createReseal({ endpoints: { ...endpoints, replaceSecret }, sealer, log })();
  expect(alone.openSecret('acme', (await endpoints.find('acme'))!.sealedSecret!)).toBe('set meanwhile');
});
