import { readFile } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { type AssayClient, createAssayClient } from '../api/client.ts';
import type { Input, ReplyOf } from '../api/connection.ts';
import { pause } from '../api/retry.ts';
import { UnusableInput } from '../proof/report.ts';
import { oneLine } from '../unseen.ts';
import { parseJson, readText } from './files.ts';
import { print, printAside } from './print.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

interface JsonFlag {
  json?: boolean;
}

/** JSON for programs, lines for people. */
export const say = (value: unknown, lines: readonly string[], { json }: JsonFlag): void => {
  print(json ? JSON.stringify(value, null, 2) : lines.map(oneLine).join('\n'));
};

/** The client of the suite that the command finds, with the key of a Relying Service. */
export const clientOf = (program: Command): AssayClient => {
  const { url, apiPrefix, key } = findSuite(program.opts<SuiteOptions>());
  if (!key) throw new UnusableInput('no key: give --key or set ASSAY_KEY, the key of a relying service');
  return createAssayClient({ baseUrl: url, apiPrefix, apiKey: key });
};

const imageOf = (path: string): Promise<Uint8Array> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnusableInput(`${path} cannot be read: ${error.code ?? 'error'}`);
  });

const jsonOf = async <T>(text: string, what: string): Promise<T> =>
  text.startsWith('@') ? parseJson<T>(await readText(text.slice(1)), text.slice(1)) : parseJson<T>(text, what);

interface SubmitFlags extends JsonFlag {
  front?: string;
  back?: string;
  type?: string;
  portrait?: string;
  text?: string;
  healthCard?: string;
  wait?: boolean;
}

/** How much of the images has been sent; only on a terminal, and never beside JSON. */
const sending = (wanted: boolean) => {
  if (!wanted || !process.stderr.isTTY) return { more: {}, stop: () => undefined };
  const bar = new SingleBar({ format: 'sending {bar} {percentage} %', stream: process.stderr });
  bar.start(1, 0);
  const more = {
    onUploadProgress: ({ sent, total }: { sent: number; total?: number }) => bar.update(total ? sent / total : 0),
  };
  return { more, stop: () => bar.stop() };
};

/** One submission is one evidence: a further one would be passed over. */
const KINDS = ['--front', '--portrait', '--text', '--health-card'] as const;
const refuseSeveral = ({ front, back, type, portrait, text, healthCard }: SubmitFlags): void => {
  const given = KINDS.filter((_, at) => [front, portrait, text, healthCard][at] !== undefined);
  if (given.length > 1)
    throw new UnusableInput(`one evidence at a time: ${given.join(' and ')} are ${given.length} submissions`);
  const ofDocument = Object.entries({ '--back': back, '--type': type }).find(([, value]) => value !== undefined);
  if (given.length === 1 && front === undefined && ofDocument)
    throw new UnusableInput(`${ofDocument[0]} belongs to --front, not to ${given[0]}`);
};

const submitted = async (client: AssayClient, identityId: string, flags: SubmitFlags) => {
  refuseSeveral(flags);
  const { front, back, type, portrait, text, healthCard } = flags;
  const { more, stop } = sending(!flags.json);
  if (front) {
    const images = { front: await imageOf(front), ...(back ? { back: await imageOf(back) } : {}) };
    const details = type ? { details: { documentType: type } } : {};
    return client.submitDocument(identityId, { ...images, ...details }, more).finally(stop);
  }
  if (portrait) return client.submitPortrait(identityId, await imageOf(portrait), more).finally(stop);
  if (text)
    return client.submitDocumentText(identityId, await jsonOf<Input<'submitDocument'>['body']>(text, 'the document'));
  if (healthCard)
    return client.submitHealthCard(identityId, await jsonOf<Input<'submitHealthCard'>['body']>(healthCard, 'the card'));
  throw new UnusableInput('nothing to submit: give --front, --portrait, --text or --health-card');
};

const linesOf = ({ globalStatus, singleStatuses }: ReplyOf<'getIdentityStatus'>): string[] => [
  `${globalStatus.status}  ${globalStatus.levelOfAssurance}`,
  ...singleStatuses.map(({ id, type, status }) => `  ${status.padEnd(12)}  ${type.padEnd(16)}  ${id}`),
];

const WATCHED_EVERY_MS = 500;

/** Prints what changes until nothing is being verified. */
const watch = async (client: AssayClient, identityId: string, flags: JsonFlag): Promise<void> => {
  let said = '';
  for (;;) {
    const status = await client.identityStatus(identityId);
    const now = linesOf(status).join('\n');
    if (now !== said) say(status, linesOf(status), flags);
    said = now;
    if (status.globalStatus.status !== 'PROCESSING') return;
    await pause(WATCHED_EVERY_MS);
  }
};

const addSubmit = (identity: Command, program: Command): void => {
  identity
    .command('submit')
    .description('submit one piece of evidence')
    .argument('<identity>', 'its id')
    .option('--front <file>', 'image of a document')
    .option('--back <file>', 'the other side of the document')
    .option('--type <type>', 'what the document is, such as IDENTITY_CARD')
    .option('--portrait <file>', 'a selfie')
    .option('--text <json-or-@file>', 'a document as text')
    .option('--health-card <json-or-@file>', 'an Australian health card')
    .option('--no-wait', 'do not wait for the result')
    .option('--json', 'print JSON')
    .action(async (identityId: string, flags: SubmitFlags) => {
      const client = clientOf(program);
      const taken = await submitted(client, identityId, flags);
      if (flags.wait === false) return say(taken, [`${taken.status}  ${taken.type}  ${taken.id}`], flags);
      if (process.stderr.isTTY && !flags.json) printAside(`${taken.status}  ${taken.type}  ${taken.id}`);
      const { type, status, errors = [] } = await client.waitForEvidence(identityId, taken.id);
      const why = errors.map(({ code, message }) => `  ${code} ${message ?? ''}`);
      return say({ id: taken.id, type, status, errors }, [`${status}  ${type}  ${taken.id}`, ...why], flags);
    });
};

/** `assay identity`: the calls of the typical flow. */
export const addIdentityCommands = (program: Command): void => {
  const identity = program.command('identity').description('identities, step by step');
  identity
    .command('create')
    .description('create an identity')
    .option('--business-id <id>', 'your own name for the identity')
    .option('--json', 'print JSON')
    .action(async ({ businessId, ...flags }: JsonFlag & { businessId?: string }) => {
      const context = businessId === undefined ? [] : [{ key: 'BUSINESS_ID', value: businessId }];
      const created = await clientOf(program).createIdentity(context);
      say(created, [created.id], flags);
    });
  identity
    .command('consent')
    .description('record consents, such as PORTRAIT and GIV')
    .argument('<identity>', 'its id')
    .argument('<types...>', 'types of consents')
    .option('--refuse', 'record that they are refused')
    .option('--json', 'print JSON')
    .action(
      async (identityId: string, types: string[], { refuse = false, ...flags }: JsonFlag & { refuse?: boolean }) => {
        const given = types.map((type) => ({ type, approved: !refuse })) as Input<'submitConsents'>['body'];
        const recorded = await clientOf(program).submitConsents(identityId, given);
        say(
          recorded,
          recorded.map(({ type, approved }) => `${approved ? 'given  ' : 'refused'}  ${type}`),
          flags,
        );
      },
    );
  addSubmit(identity, program);
  identity
    .command('watch')
    .description('follow an identity until nothing is being verified')
    .argument('<identity>', 'its id')
    .option('--json', 'print JSON')
    .action((identityId: string, flags: JsonFlag) => watch(clientOf(program), identityId, flags));
  identity
    .command('show')
    .description('show an identity: its statuses; with --json all its data')
    .argument('<identity>', 'its id')
    .option('--json', 'print JSON, with personal data')
    .action(async (identityId: string, flags: JsonFlag) => {
      const client = clientOf(program);
      const status = await client.identityStatus(identityId);
      say(flags.json ? await client.identity(identityId) : status, linesOf(status), flags);
    });
};
