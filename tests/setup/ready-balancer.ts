import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { readStack, waitFor } from '@assay/testing';

const LOOK_EVERY_MS = 100;

interface Target {
  adminUrl: string;
  publicUrl: string;
  isReady: boolean;
}

const isReady = (adminUrl: string): Promise<boolean> =>
  fetch(`${adminUrl}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );

export interface ReadyBalancer {
  url: string;
  /** Waits until it gives connections to every gateway. */
  knowsAll(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Gives each new connection to the next gateway that said it was ready when it was last asked. It
 * knows nothing else of a gateway and tries no other one: what a gateway refuses or cuts, the
 * client sees.
 */
export const startReadyBalancer = async (): Promise<ReadyBalancer> => {
  const targets = readStack().services.gateway!.map(
    ({ adminUrl, publicUrl }): Target => ({ adminUrl, publicUrl: publicUrl!, isReady: false }),
  );
  const open = new Set<Socket>();
  let turn = 0;

  const look = async (): Promise<void> => {
    for (const target of targets) target.isReady = await isReady(target.adminUrl);
  };
  const next = (): Target | undefined => {
    const ready = targets.filter((target) => target.isReady);
    turn += 1;
    return ready[turn % ready.length];
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    open.add(client);
    client.once('close', () => open.delete(client)).on('error', () => undefined);
    const target = next();
    if (!target) return void client.destroy();
    const gateway = connect({ port: Number(new URL(target.publicUrl).port), allowHalfOpen: true });
    pipeline(client, gateway, client, () => {
      client.destroy();
      gateway.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await look();
  let isOver = false;
  // One look after the other: an older answer must not replace a newer one.
  const lookOn = async (): Promise<void> => {
    while (!isOver) {
      await pause(LOOK_EVERY_MS);
      await look();
    }
  };
  const looking = lookOn();

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    knowsAll: () => waitFor('the balancer to know every gateway', () => targets.every((target) => target.isReady)),
    close: async () => {
      isOver = true;
      await looking;
      for (const client of open) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
