import { randomUUID } from 'node:crypto';
import { readStack } from '@assay/testing';
import { holdsOfAStore } from './simulation/contracts/store.ts';

holdsOfAStore('MongoDB', () => ({ url: readStack().mongoUrl, database: `contract_${randomUUID().slice(0, 8)}` }));
