import { holdsOfAStore } from './simulation/contracts/store.ts';
import { createServer, useSimulatedStore } from './simulation/store/driver.ts';

const store = createServer();
useSimulatedStore(() => ({ server: store, carry: async (_command, work) => work() }));
holdsOfAStore('in memory', () => ({ url: 'mongodb://store', database: 'contract' }));
