import { setTimeout as pause } from 'node:timers/promises';
import { readPassport } from './chip-reader.ts';
import { countsBetween, countsOf, countsOfEach, readCounts, readQuietCounts, type Tally, totalOf } from './counts.ts';
import { licenceText } from './licence.ts';
import { startWebhookReceiver } from './receiver.ts';
import { newIdentity, newTenant, readStack, specimen } from './suite.ts';

const holder = specimen('portraits/holder.jpg').toString('base64');
const licence = licenceText({ expiryDate: '2035-04-15' });

/** Sweepers pause longer and longer while they find no work. */
const CALM_MS = 6000;

/**
 * Commands a second, by `<service> <collection> <command>`, of a suite that has had no request for
 * a while.
 */
export const countIdle = async (ms: number): Promise<Tally> => {
  await pause(CALM_MS);
  const before = await readQuietCounts();
  const startedAt = performance.now();
  await pause(ms);
  const { database, rounds } = countsBetween(before, await readCounts());
  const seconds = (performance.now() - startedAt) / 1000;
  return new Map([...rounds, ...database].map(([key, count]) => [key, count / seconds]));
};

const IDLE_MS = 5000;

/** Processor time of the processes of an idle suite, in milliseconds a second. */
const processorMsPerSecond = async (): Promise<Tally> => {
  const before = await readQuietCounts();
  await pause(IDLE_MS);
  const { processorMs } = countsBetween(before, await readCounts());
  return new Map([...processorMs].map(([name, ms]) => [name, (ms * 1000) / IDLE_MS]));
};

const SETTLED = 0.8;

/**
 * Processor time of an idle suite, once its start is over: engine processes load their models late.
 */
export const settledIdle = async (): Promise<Tally> => {
  for (let before = await processorMsPerSecond(); ; ) {
    const now = await processorMsPerSecond();
    if (totalOf(now) > SETTLED * totalOf(before)) return now;
    before = now;
  }
};

/**
 * Processor milliseconds by process for each repetition of the work, without those of an idle
 * suite.
 */
export const processorMsOfEach = async (times: number, idle: Tally, work: () => Promise<unknown>): Promise<Tally> => {
  const before = await readQuietCounts();
  const startedAt = performance.now();
  for (let n = 0; n < times; n += 1) await work();
  await pause(PULLED_MS);
  const after = await readCounts();
  const seconds = (performance.now() - startedAt) / 1000;
  const { processorMs } = countsBetween(before, after);
  return new Map([...processorMs].map(([name, ms]) => [name, (ms - (idle.get(name) ?? 0) * seconds) / times]));
};

/** Within this time, the last published events are removed from their documents. */
const PULLED_MS = 1500;

/**
 * The steps of the main path, counted one by one on a suite that only the caller uses. The issuing
 * source knows the document. Each round has its own identity.
 */
export const openCostRounds = async () => {
  const receiver = await startWebhookReceiver();
  const tenant = await newTenant('cost', {
    issuingSources: { enabled: true },
    webhook: { url: receiver.url, mode: 'HMAC', headerName: 'x-signature', secret: 'a webhook secret' },
  });
  await fetch(`${readStack().simulators.aamva}/records`, {
    method: 'PUT',
    body: JSON.stringify(licence),
    headers: { 'content-type': 'application/json' },
  });
  const published = ({ body }: { body: { id: string } }) =>
    receiver.next('the evaluation', (webhook) => webhook.body.evidence?.evidenceId === body.id, 60_000);

  /** From creation, consents and text submission to the webhook of the result. */
  const textRound = async () => {
    const made: { identity?: Awaited<ReturnType<typeof newIdentity>> } = {};
    const [create, consents, text] = await countsOfEach([
      async () => {
        made.identity = await newIdentity(tenant.relyingService);
      },
      () => made.identity!.consent('GIV', 'PORTRAIT'),
      async () => published(await made.identity!.text(licence)),
    ]);
    return { identity: made.identity!, steps: { create: create!, consents: consents!, text: text! } };
  };

  /** Does the three steps one right after the other. */
  const path = async () => {
    const identity = await newIdentity(tenant.relyingService);
    await identity.consent('GIV', 'PORTRAIT');
    await published(await identity.text(licence));
  };
  const pathRound = () => countsOf(path);

  /** From the opening of a chip's session to the webhook of its result. */
  const chipRound = async (portrait: boolean) => {
    const identity = await newIdentity(tenant.relyingService);
    if (portrait) await identity.consent('PORTRAIT');
    return countsOf(async () => {
      const { at, data } = await readPassport(tenant, portrait ? { portrait: holder } : {}, { identity });
      await published(await tenant.relyingService.post(`${at}/data`, data));
    });
  };

  /** The steps of `textRound`, and the other work of a client. */
  const wholeRound = async () => {
    const { identity, steps } = await textRound();
    const made: { id: string } = { id: '' };
    const picture = await countsOf(async () => {
      const submitted = await identity.document(specimen('passport.jpg'));
      made.id = submitted.body.id;
      await published(submitted);
    });
    const chip = await chipRound(false);
    const chipWithPortrait = await chipRound(true);
    const status = await countsOf(() => identity.status(made.id));
    const read = await countsOf(() => identity.get());
    const proof = await countsOf(() => identity.proof());
    return { ...steps, path: await pathRound(), picture, chip, chipWithPortrait, status, identity: read, proof };
  };

  /**
   * Processor milliseconds by process for each creation, for each whole text path, and for as many
   * paths again, without those of an idle suite.
   */
  const busyRounds = async (times: number) => {
    const idle = await settledIdle();
    const create = await processorMsOfEach(times, idle, () => newIdentity(tenant.relyingService));
    const first = await processorMsOfEach(times, idle, path);
    return { create, path: first, again: await processorMsOfEach(times, idle, path) };
  };

  /** Does this many whole text paths, one right after the other. */
  const paths = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await path();
  };

  return { textRound, pathRound, wholeRound, busyRounds, paths, close: () => receiver.close() };
};
