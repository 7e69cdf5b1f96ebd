import { afterAll, beforeAll } from '@jest/globals';
import { holdsOfAStore } from './simulation/contracts/store.ts';
import { createServer, useSimulatedStore } from './simulation/store/driver.ts';

const store = createServer();
let useMongodbAgain: () => void;
beforeAll(() => {
  useMongodbAgain = useSimulatedStore(() => ({ server: store, carry: async (_command, work) => work() }));
});
afterAll(() => useMongodbAgain());
holdsOfAStore('in memory', () => ({ url: 'mongodb://store', database: 'contract' }));
