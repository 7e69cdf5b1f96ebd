import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { licenceText, newIdentity, newTenant, type OwnSuite, readStack, specimen, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { backUp } from '../../tools/backup/src/dump.ts';
import { restore } from '../../tools/backup/src/restore.ts';

/** A server without snapshots is read in turn, and people go on submitting meanwhile. */

/** A submission is made when one of these was read. */
const READ = [
  'gateway.identities',
  'evidence_intake.evidences',
  'evidence_intake.media',
  'verification_worker.cases',
  'issuing_source_adapter.checks',
  'proof_builder.histories',
];
const OUTBOXES = ['gateway.identities', 'evidence_intake.evidences', 'verification_worker.cases'] as const;
const WAIT_MS = 60_000;

interface Announcing {
  _id: string;
  said?: { dueAt: Date }[];
}

/** What was announced is due again, as if the time for it had passed. */
const makeDue = async (client: mongoose.mongo.MongoClient, prefix: string): Promise<void> => {
  const now = new Date();
  for (const name of OUTBOXES) {
    const [database, collection] = name.split('.') as [string, string];
    const documents = client.db(`${prefix}${database}`).collection<Announcing>(collection);
    for (const { _id, said = [] } of await documents.find({ said: { $exists: true } }).toArray())
      await documents.updateOne(
        { _id },
        { $set: { said: said.map((one) => ({ ...one, dueAt: now })), saidDueAt: now } },
      );
  }
};

const number = (nth: number): string => `T642360${String(nth).padStart(2, '0')}`;
const licence = (nth: number) => licenceText({ number: number(nth), expiryDate: '2035-04-15' });

/** Needs a suite that may be stopped, with a worker. */
export const inTurnStory = (suiteOf: () => OwnSuite): void => {
  test('whatever is submitted while it is read, the proof of its identity is built after a restore', async () => {
    const tenant = await newTenant('in-turn', { issuingSources: { enabled: true }, acceptSpecimens: true });
    const { mongoUrl: url, names } = readStack();
    const place = { url, prefix: names.databases };
    const root = mkdtempSync(join(tmpdir(), 'assay-in-turn-'));
    const folders = { state: join(root, 'state'), keys: join(root, 'keys') };
    const identities = await Promise.all(
      READ.map(async (read, nth) => {
        const identity = await newIdentity(tenant.relyingService);
        await identity.consent('GIV');
        const { body } = await identity.text(licence(nth));
        await identity.becomes(body.id, 'INVALID', WAIT_MS);
        return { read, identity };
      }),
    );

    await backUp(place, folders, async (read) => {
      const meanwhile = identities.find((one) => one.read === read);
      if (!meanwhile) return;
      const { body } = await meanwhile.identity.document(specimen('passport.jpg'));
      await meanwhile.identity.becomes(body.id, 'VERIFIED', WAIT_MS);
    });

    const suite = suiteOf();
    await suite.down();
    await restore(place, { state: folders.state, replace: true });
    const client = await mongoose.mongo.MongoClient.connect(url);
    await makeDue(client, place.prefix);
    await client.close();
    await suite.up();
    const outcomes = await Promise.all(
      identities.map(async ({ read, identity }) => {
        let status = 0;
        await waitFor(
          `the proof of ${read}`,
          async () => {
            ({ status } = await identity.proof());
            return status === 200;
          },
          WAIT_MS,
        ).catch(() => undefined);
        return { read, status };
      }),
    );
    rmSync(root, { recursive: true });
    expect(outcomes).toEqual(READ.map((read) => ({ read, status: 200 })));
  }, 400_000);
};
