import { randomUUID } from 'node:crypto';
import { readStack } from '@assay/testing';
import { holdsOfABroker } from './simulation/contracts/broker.ts';

holdsOfABroker('RabbitMQ', () => ({ url: readStack().amqpUrl, namespace: `${randomUUID().slice(0, 8)}.` }));
