import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { externalEngine } from './engine.ts';
import { hostsOf, startGiven } from './given.ts';
import { restarting } from './restarting.ts';

test.each([
  ['amqp://guest:guest@broker.example/vhost', ['broker.example:5672']],
  ['amqps://broker.example:5679', ['broker.example:5679']],
  ['mongodb://user:p%40ss@a.example:27018,b.example/?replicaSet=rs', ['a.example:27018', 'b.example:27017']],
  ['mongodb://[::1]:27019/', ['::1:27019']],
  ['mongodb+srv://cluster.example/', []],
  ['mongodb://%2Ftmp%2Fmongodb.sock/', []],
])('%s names its hosts', (url, expected) => {
  expect(hostsOf(url).map(({ host, port }) => `${host}:${port}`)).toEqual(expected);
});

test('a server that accepts connections is used, and an error names an unreachable one with its variable', async () => {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const options = { dataDir: '', port: 0 };
  const url = `amqp://guest:secret@127.0.0.1:${port}`;
  expect(await startGiven('RabbitMQ', 'AMQP_URL', url)(options)).toMatchObject({ kind: 'external', url });
  await new Promise((resolve) => server.close(resolve));
  const refused = startGiven('RabbitMQ', 'AMQP_URL', url, 100)(options);
  await expect(refused).rejects.toThrow(`RabbitMQ: nobody answers at amqp://127.0.0.1:${port}, which AMQP_URL names`);
});

test.each([
  ['MONGODB_URI', '127.0.0.1:27017', 'mongodb:// or mongodb+srv://'],
  ['AMQP_URL', 'http://127.0.0.1', 'amqp:// or amqps://'],
])('%s with another scheme is refused at once, without its value', async (variable, url, schemes) => {
  const refused = startGiven('It', variable, url)({ dataDir: '', port: 0 });
  await expect(refused).rejects.toThrow(`It: ${variable} does not begin with ${schemes}`);
});

test('a suite on a given server can be stopped while its supervisor still listens', async () => {
  const start = () => Promise.resolve(externalEngine('amqp://broker.example'));
  const engine = restarting('rabbitmq', start, () => undefined);
  await engine.first;
  await new Promise((resolve) => setImmediate(resolve));
  await engine.stop(0);
  expect(engine.ends().count).toBe(0);
});
