/**
 * npm run bench:memory [-- --minutes N] [--clients N]
 *
 * Starts a suite of its own, keeps it busy, and prints the memory (VmRSS, in MB) of each service by
 * the minute: whether it is flat. The verification worker's engine processes are not in it.
 *   --minutes N    how long (10)
 *   --clients N    clients that go one text path after the other up to its webhook (4); one more
 *                  submits pictures and retrieves the proof of each
 */
import { setTimeout as pause } from 'node:timers/promises';
import { newIdentity, newTenant, openCostRounds, readStack, residentMb, specimen } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { onSuite } from './on-suite.ts';

const options = readArguments(import.meta.filename, {
  minutes: { type: 'string', default: '10' },
  clients: { type: 'string', default: '4' },
});
const [minutes, clients] = [Number(options.minutes), Number(options.clients)];
const MINUTE_MS = 60_000;
const SAMPLE_MS = 1000;

/** The most that each service had in a minute. */
const watchFor = async (ms: number): Promise<Map<string, number>> => {
  const most = new Map<string, number>();
  const services = Object.entries(readStack().services);
  for (const until = performance.now() + ms; performance.now() < until; await pause(SAMPLE_MS))
    for (const [name, copies] of services)
      for (const { pid } of copies) most.set(name, Math.max(most.get(name) ?? 0, Math.round(residentMb(pid))));
  return most;
};

const measure = async () => {
  const rounds = await openCostRounds();
  const tenant = await newTenant('memory');
  const done = { paths: 0, pictures: 0, isOver: false };
  const goPaths = async (): Promise<void> => {
    for (; !done.isOver; done.paths += 1) await rounds.paths(1);
  };
  const submitPictures = async (): Promise<void> => {
    for (; !done.isOver; done.pictures += 1) {
      const identity = await newIdentity(tenant.relyingService);
      const { body } = await identity.document(specimen('passport.jpg'));
      await identity.stable(body.id, 10 * MINUTE_MS);
      await identity.proof();
    }
  };
  const busy = Promise.all([...Array.from({ length: clients }, goPaths), submitPictures()]);
  const byMinute: Record<string, Record<string, number>> = {};
  for (let minute = 1; minute <= minutes; minute += 1) {
    for (const [name, mb] of await watchFor(MINUTE_MS)) byMinute[name] = { ...byMinute[name], [minute]: mb };
    console.log(`minute ${minute}: ${done.paths} text paths, ${done.pictures} pictures so far`);
  }
  done.isOver = true;
  await busy;
  await rounds.close();
  return byMinute;
};

console.table(await onSuite(measure));
