import { randomUUID } from 'node:crypto';

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run tests with \`npm test\``);
  return value;
};

/** The MongoDB and RabbitMQ that `npm test` starts for the tests of libs and services. */
export const testStack = (): {
  mongoUrl: string;
  amqpUrl: string;
  database: (name: string) => string;
  namespace: () => string;
} => ({
  mongoUrl: required('TEST_MONGO_URL'),
  amqpUrl: required('TEST_AMQP_URL'),
  /** The name of a database for this test alone. */
  database: (name) => `test_${name}_${randomUUID().slice(0, 8)}`,
  /** A namespace of the broker for this test alone (option `namespace` of connectBus). */
  namespace: () => `${randomUUID().slice(0, 8)}.`,
});
