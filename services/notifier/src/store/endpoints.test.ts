import { connectMongo, type Database } from '@assay/mongo';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEndpointStore, type Endpoint, endpointModel } from './endpoints.ts';

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

test('an endpoint that is set here counts at once, one that another process set a second later at most', async () => {
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
