/**
 * npm run bench:baseline [-- --json FILE] [--rounds N] [--stack FILE]
 *
 * Runs the suite in turns with the least that a server has to do (bench/baseline/server.ts:
 * Express, multer and mongoose on the same database server) and prints both and their ratio:
 * reading a document, and taking a picture at 32 clients. The suite has no verification worker, so
 * that looking at pictures is not in the figures. Compare ratios and processor time; requests a
 * second depend on what else the machine does.
 *   --json FILE    writes the figures of every round as JSON, beside the table
 *   --rounds N     rounds of each (5); the figures are medians
 *   --warm N       rounds before them (5), which are not counted: code is compiled by use
 *   --stack FILE   the stack.json of a running suite (`npm run up -- --workers 0`); one of its own
 *                  when left out
 *   --only NAME    measures `reads` or `picture` alone
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newIdentity, newTenant, readStack, specimen } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { type Answered, load, type Sent } from './baseline/load.ts';
import { median, rounded } from './figures.ts';
import { onSuite } from './on-suite.ts';

const options = readArguments(import.meta.filename, {
  json: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  warm: { type: 'string', default: '5' },
  stack: { type: 'string' },
  only: { type: 'string' },
});
const root = join(import.meta.dirname, '..');

const READERS = 8;
const READS = 600;
const UPLOADERS = 32;
const UPLOADS = 96;

const licence = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'T64235789',
  issuingCountry: 'USA',
  issuingState: 'VA',
  expiryDate: '2035-04-15',
  personalAttributes: {
    surname: { value: 'SPECIMEN' },
    givenNames: [{ value: 'BARRY' }],
    dateOfBirth: { value: '1974-08-12' },
  },
};

/** One side of a comparison: what is sent, and whose processor time counts. */
interface Side {
  requests: () => Promise<readonly Sent[]>;
  processes: Readonly<Record<string, number>>;
}

interface Comparison {
  clients: number;
  suite: Side;
  plain: Side;
}

const startPlain = async () => {
  const tsx = join(root, 'node_modules/.bin/tsx');
  const child = spawn(tsx, [join(import.meta.dirname, 'baseline/server.ts'), readStack().mongoUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const [port, pid = 0] = line.split(' ').map(Number);
  return { url: `http://127.0.0.1:${port}`, pid, end: () => process.kill(pid) };
};

const formOf = (bytes: Buffer, part: string) => {
  const boundary = 'a-boundary-of-the-measurement';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${part}"; filename="${part}.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return {
    body,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': body.length },
  };
};

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** An identity with an evaluated document, read through the suite and from the plain server. */
const reads = async (plain: { url: string; pid: number }) => {
  const { baseUrl, services, infrastructure } = readStack();
  const tenant = await newTenant('baseline');
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('GIV', 'PORTRAIT');
  const { body } = await identity.text(licence);
  await identity.stable(body.id, 60_000);
  const headers = { apikey: tenant.keys.relyingService };
  const gateway = { gateway: services.gateway![0]!.pid, mongodb: infrastructure.mongodb.pid };
  const compare = async (path: string): Promise<Comparison> => {
    const url = new URL(path, baseUrl).href;
    const content = await (await fetch(url, { headers })).text();
    const sent = await fetch(`${plain.url}/things`, {
      method: 'POST',
      body: content,
      headers: { 'content-type': 'application/json' },
    });
    const { id } = (await sent.json()) as { id: string };
    return {
      clients: READERS,
      suite: { requests: async () => times(READS, () => ({ url, headers })), processes: gateway },
      plain: {
        requests: async () => times(READS, () => ({ url: `${plain.url}/things/${id}` })),
        processes: { plain: plain.pid, mongodb: infrastructure.mongodb.pid },
      },
    };
  };
  return { status: await compare(`${identity.at}/status`), identity: await compare(identity.at) };
};

const pictures = async (plain: { url: string; pid: number }): Promise<Comparison> => {
  const { baseUrl, services, infrastructure } = readStack();
  const tenant = await newTenant('baseline');
  const picture = specimen('passport.jpg');
  const own = formOf(picture, 'DocumentFront');
  const headers = { ...own.headers, apikey: tenant.keys.relyingService };
  const pidOf = (name: string): number => services[name]![0]!.pid;
  const form = formOf(picture, 'frontImage');
  return {
    clients: UPLOADERS,
    suite: {
      requests: async () => {
        const identities = await Promise.all(times(UPLOADS, () => newIdentity(tenant.relyingService)));
        return identities.map(({ at }) => ({
          url: new URL(`${at}/id-documents/capture`, baseUrl).href,
          method: 'POST' as const,
          headers,
          body: own.body,
        }));
      },
      processes: {
        gateway: pidOf('gateway'),
        'evidence-intake': pidOf('evidence-intake'),
        mongodb: infrastructure.mongodb.pid,
        rabbitmq: infrastructure.rabbitmq.pid,
      },
    },
    plain: {
      requests: async () => times(UPLOADS, () => ({ url: `${plain.url}/files`, method: 'POST', ...form })),
      processes: { plain: plain.pid, mongodb: infrastructure.mongodb.pid },
    },
  };
};

const inTurns = async ({ clients, suite, plain }: Comparison) => {
  const rounds: { suite: Answered; plain: Answered }[] = [];
  const warm = Number(options.warm);
  for (let round = 0; round < warm + Number(options.rounds); round += 1) {
    const ofSuite = await load(await suite.requests(), clients, suite.processes);
    const ofPlain = await load(await plain.requests(), clients, plain.processes);
    if (round >= warm) rounds.push({ suite: ofSuite, plain: ofPlain });
  }
  return rounds;
};

const sum = (values: Record<string, number>): number => Object.values(values).reduce((all, value) => all + value, 0);
const ofServices = ({ processorMs: { mongodb: _, rabbitmq: __, ...own } }: Answered): number => sum(own);

/** Medians of suite and plain server, and how they compare: above 1 the suite does better. */
const figuresOf = (rounds: Awaited<ReturnType<typeof inTurns>>) => {
  const compare = (pick: (answered: Answered) => number, moreIsBetter = false): string => {
    const pairs = rounds.map((round) => [pick(round.suite), pick(round.plain)] as const);
    const ratio = median(pairs.map(([suite, plain]) => (moreIsBetter ? suite / plain : plain / suite)));
    const [suite, plain] = [median(pairs.map(([one]) => one)), median(pairs.map(([, other]) => other))];
    return `${rounded(suite)} : ${rounded(plain)} = ${rounded(ratio)}`;
  };
  return {
    'requests/s': compare(({ perSecond }) => perSecond, true),
    'p50 ms': compare(({ p50Ms }) => p50Ms),
    'p99 ms': compare(({ p99Ms }) => p99Ms),
    'processor ms, services': compare(ofServices),
    'processor ms, with engines': compare(({ processorMs }) => sum(processorMs)),
  };
};

const measure = async (plain: { url: string; pid: number }): Promise<void> => {
  const measured: Record<string, Awaited<ReturnType<typeof inTurns>>> = {};
  if (options.only !== 'picture') {
    const { status, identity } = await reads(plain);
    measured.status = await inTurns(status);
    measured.identity = await inTurns(identity);
  }
  if (options.only !== 'reads') measured.picture = await inTurns(await pictures(plain));
  console.table(Object.fromEntries(Object.entries(measured).map(([name, rounds]) => [name, figuresOf(rounds)])));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(measured, null, 2)}\n`);
};

const compare = async (): Promise<void> => {
  const plain = await startPlain();
  await measure(plain).finally(plain.end);
};
await onSuite(compare, { stack: options.stack, args: ['--workers', '0'] });
