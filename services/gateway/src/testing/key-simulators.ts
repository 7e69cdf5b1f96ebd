import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';

const programs = join(import.meta.dirname, '../../../../tools/simulators/dist');

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** A simulated key management service, in a process of its own. */
export interface KeySimulator {
  url: string;
  /** Ends the process: no caller gets a connection. */
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

const startSimulator = async (name: string, env: Record<string, string>): Promise<KeySimulator> => {
  const [port, adminPort] = [await freePort(), await freePort()];
  let stopChild = (): Promise<void> => Promise.resolve();
  const start = async (): Promise<void> => {
    const variables = { HTTP_PORT: String(port), ADMIN_PORT: String(adminPort), ...env };
    const child = spawn(process.execPath, [join(programs, `${name}.main.js`)], { env: variables, stdio: 'ignore' });
    const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
    stopChild = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    const isReady = () =>
      fetch(`http://127.0.0.1:${adminPort}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitFor(`the simulator ${name}`, isReady);
  };
  await start();
  return { url: `http://127.0.0.1:${port}`, start, stop: () => stopChild() };
};

export const VAULT_TOKEN = 'the token of a simulated vault';
export const KMS_CREDENTIALS = { accessKeyId: 'AKIDSIMULATED', secretAccessKey: 'the secret of a simulated KMS' };

export const startVaultSimulator = (key: string): Promise<KeySimulator> =>
  startSimulator('vault', { VAULT_KEYS: key, VAULT_TOKEN });

export const startKmsSimulator = (...keyIds: string[]): Promise<KeySimulator> =>
  startSimulator('kms', {
    KMS_KEYS: keyIds.join(','),
    KMS_ACCESS_KEY: KMS_CREDENTIALS.accessKeyId,
    KMS_SECRET: KMS_CREDENTIALS.secretAccessKey,
  });
