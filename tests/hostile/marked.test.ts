import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newIdentity, newTenant, readStack, startWebhookReceiver, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exportOf, filesBelow, listen } from '../setup/holdings.ts';
import { everythingMarked } from './marked/everything.ts';
import { creation, marked, NUMBERS } from './marked/person.ts';
import { refusals } from './marked/refusals.ts';
import { FORMS, marksIn, packedIn } from './marked/search.ts';

/*
 * A person in whose every field a mark stands, and requests that are refused with the mark wherever
 * one can stand: it is in clear nowhere, in no form that software writes text in.
 */

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let broker: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  [receiver, broker] = await Promise.all([startWebhookReceiver(), listen()]);
});
afterAll(async () => {
  await Promise.all([receiver?.close(), broker?.close()]);
});

const SOUGHT = [...FORMS, ...NUMBERS.map((number) => Buffer.from(number))];

const foundIn = (bytes: Buffer): string[] => [bytes, ...packedIn(bytes)].flatMap((piece) => marksIn(piece, SOUGHT));

/** What the suite has stored, published and written, by its place. */
const everywhere = async (): Promise<[string, Buffer][]> => {
  const { logDir, dataDir, services } = readStack();
  const stored = [...(await exportOf(() => false))].flatMap(([name, documents]) =>
    documents.map((bytes): [string, Buffer] => [name, bytes]),
  );
  const messages = broker.heard.map((bytes): [string, Buffer] => ['a message', bytes]);
  // Records of the simulated issuers are theirs.
  const files = [logDir, dataDir]
    .flatMap(filesBelow)
    .filter((file) => !file.startsWith(join(dataDir, 'simulators')))
    // An engine may have removed one meanwhile, as it does with journals.
    .map(async (file): Promise<[string, Buffer]> => [file, await readFile(file).catch(() => Buffer.alloc(0))]);
  const metrics = Object.values(services)
    .flat()
    .map(async ({ adminUrl }): Promise<[string, Buffer]> => [adminUrl, await textAt(`${adminUrl}/metrics`)]);
  return [...stored, ...messages, ...(await Promise.all([...files, ...metrics]))];
};
const textAt = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

const leaks = async (): Promise<string[]> =>
  (await everywhere()).flatMap(([place, bytes]) => foundIn(bytes).map((around) => `${place}: ${around}`));

test('nothing that anybody sends of a person is in clear in any database, message, log, metric or file', async () => {
  const tenant = await newTenant('marked', {
    adjudication: { enabled: true },
    issuingSources: { enabled: true },
    allowedOrigins: ['https://client.example'],
    webhook: { url: receiver.url, mode: 'NONE' },
  });
  const identity = await newIdentity(tenant.relyingService, creation);
  const ids = await everythingMarked(tenant, identity);
  const statuses = await refusals(tenant, identity);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(JSON.stringify(await identity.get())).toContain(marked('ussurname'));
  expect(await leaks()).toEqual([]);

  for (const [name, id] of Object.entries(ids))
    if (name !== 'case') await tenant.relyingService.delete(`${identity.at}/evidences/${id}`);
  expect((await tenant.relyingService.delete(identity.at)).status).toBe(200);
  const left = async () => [
    ...(await exportOf((name) => !/identityKeys$|evidence_intake\.media$/.test(name))).values(),
  ];
  await waitFor('the purge', async () => !(await left()).flat().some((bytes) => bytes.includes(identity.id)), 30_000);
  expect(await leaks()).toEqual([]);
}, 240_000);

test('the search finds the mark in each form', () => {
  const text = `...${marked('found')}...`;
  const bytes = Buffer.from(text);
  const shifted = [text, `.${text}`, `..${text}`].flatMap((each) => [
    Buffer.from(each).toString('base64'),
    Buffer.from(each).toString('base64url'),
  ]);
  const percent = [...bytes].map((byte) => `%${byte.toString(16)}`).join('');
  const forms = [text, text.toLowerCase(), bytes.toString('hex'), percent, ...shifted].map((form) => Buffer.from(form));
  for (const form of [...forms, Buffer.from(text, 'utf16le')]) expect(marksIn(form)).not.toEqual([]);
  expect(marksIn(Buffer.from('nothing marked'))).toEqual([]);
});
