import { inspectProof, readKeys } from '@assay/client';
import type { VerificationAndEvaluationDetails } from '@assay/contracts';
import {
  licenceText,
  newIdentity,
  newTenant,
  type OwnSuite,
  onSharedEngines,
  readStack,
  specimen,
  startOwnSuite,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';

/*
 * Results that come after an evidence was announced, or after its identity was paused: an issuing
 * source that answers late, and work that fails for good. The story stops a service and takes
 * sources down, so it has services of its own, with short time-outs.
 */

let suite: OwnSuite;
let receiver: WebhookReceiver;
let mongo: mongoose.Connection;
let pausing: Tenant;
let asking: Tenant;
beforeAll(async () => {
  suite = await startOwnSuite('late-news', {
    ...onSharedEngines(),
    RECONCILE_AFTER_MS: '400',
    QUESTION_TIMEOUT_MS: '500',
    CHECK_BUDGET_MS: '1000',
  });
  receiver = await startWebhookReceiver();
  mongo = await mongoose.createConnection(readStack().mongoUrl).asPromise();
  const webhook = { url: receiver.url, mode: 'NONE' } as const;
  pausing = await newTenant('pausing', {
    webhook,
    issuingSources: { enabled: true },
    transactionLifetimeSeconds: 2,
    pauseResume: { enabled: true, pauseDurationSeconds: 600 },
  });
  asking = await newTenant('asking', { webhook, issuingSources: { enabled: true, recheckAfterSeconds: 1 } });
}, 180_000);
afterEach(() => sourceIs('ok'));
afterAll(async () => {
  await mongo?.close();
  await receiver?.close();
  await suite?.stop();
}, 60_000);

const licence = licenceText({ expiryDate: '2035-04-15' });
const control = (method: string, path: string, body?: object) =>
  fetch(`${readStack().simulators.aamva}/${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  });
const sourceIs = (mode: string) => control('PUT', 'behaviour', { mode, rate: 1 });
const issued = () => control('PUT', 'records', licence);

type Identity = Awaited<ReturnType<typeof newIdentity>>;
const published = (identity: Identity): string[] =>
  receiver.received
    .filter(({ body }) => body.identityId === identity.id)
    .map(({ body }) =>
      body.evidence
        ? `${body.evidence.evidenceOperation} ${body.evidence.evidenceType} ${body.identityStatus}`
        : body.identityStatus,
    );
const heard = async (identity: Identity, ...expected: string[]): Promise<void> => {
  await waitFor(`${expected} (heard: ${published(identity)})`, () => published(identity).length >= expected.length);
  expect(published(identity)).toEqual(expected);
};
const withConsent = async (tenant: Tenant): Promise<Identity> => {
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('GIV');
  return identity;
};
/** The number of checks that still store the sealed data of the document. */
const questionsOf = ({ id }: Identity): Promise<number> =>
  mongo
    .useDb(`${readStack().names.databases}issuing_source_adapter`)
    .collection('checks')
    .countDocuments({ identityId: id, sealedDocument: { $exists: true } });
const CREATED = 'CREATED DRIVING_LICENSE EXPECTING_INPUT';
const UPDATED = 'UPDATED DRIVING_LICENSE EXPECTING_INPUT';

describe('an issuing source that answers after the evidence was announced', () => {
  test.each([
    ['VERIFIED', issued],
    ['INVALID', () => control('DELETE', 'records')],
  ])('moves a text document from NOT_VERIFIED to %s', async (status, prepare) => {
    await prepare();
    await sourceIs('outage');
    const identity = await withConsent(asking);
    const { body } = await identity.text(licence);
    await identity.becomes(body.id, 'NOT_VERIFIED');
    await heard(identity, CREATED);
    await sourceIs('ok');
    await identity.becomes(body.id, status);
    await heard(identity, CREATED, UPDATED);
  });

  test.each<[string, (identity: Identity, evidenceId: string) => Promise<unknown>]>([
    ['is deleted', ({ at }, id) => asking.relyingService.delete(`${at}/evidences/${id}`)],
    [
      'has lost its consent',
      ({ at }) => asking.relyingService.post(`${at}/consents`, [{ type: 'GIV', approved: false }]),
    ],
  ])('is not asked again about a document that %s, and its data are deleted', async (_what, takeBack) => {
    await issued();
    await sourceIs('outage');
    const identity = await withConsent(asking);
    const { body } = await identity.text(licence);
    await identity.becomes(body.id, 'NOT_VERIFIED');
    expect(await questionsOf(identity)).toBe(1);
    await takeBack(identity, body.id);
    await waitFor('its question to go', async () => (await questionsOf(identity)) === 0);
    await sourceIs('ok');
    const other = await withConsent(asking);
    const { body: second } = await other.text(licence);
    await other.becomes(second.id, 'VERIFIED');
    expect(published(identity).filter((each) => each.startsWith('UPDATED'))).toEqual([]);
  });

  test('moves a document by images from VERIFIED to INVALID when the issuer does not know it, and raises its score when it does', async () => {
    await control('DELETE', 'records');
    await sourceIs('outage');
    const identity = await withConsent(asking);
    const sides = [specimen('us-licence-front.jpg'), specimen('us-licence-back.jpg')] as const;
    const { body } = await identity.document(...sides);
    await identity.becomes(body.id, 'VERIFIED');
    await heard(identity, CREATED);
    await sourceIs('ok');
    await identity.becomes(body.id, 'INVALID');
    await heard(identity, CREATED, UPDATED);
    expect((await identity.get()).globalStatus.levelOfAssurance).toBe('LOA0');

    await issued();
    await sourceIs('outage');
    const known = await withConsent(asking);
    const { body: second } = await known.document(...sides);
    await known.becomes(second.id, 'VERIFIED');
    const { score } = (await known.get()).idDocuments[0].evidenceStatus;
    await sourceIs('ok');
    await waitFor('a better score', async () => (await known.get()).idDocuments[0].evidenceStatus.score > score);
    await heard(known, CREATED, UPDATED);
  });
});

/** The progress of the verification of each evidence, as the proof records it. */
const progressInProof = async (identity: Identity): Promise<Record<string, string>> => {
  const keys = readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
  const { report, contents } = await inspectProof((await identity.proof()).bytes, keys);
  expect(report.reasons).toEqual([]);
  const file = contents!.json['verificationAndEvaluationDetails.json']!;
  const elements = JSON.parse(file.toString()) as VerificationAndEvaluationDetails[];
  return Object.fromEntries(elements.map(({ participantContextId, progress }) => [participantContextId, progress]));
};

describe('a paused identity', () => {
  /** An identity whose issuing check hangs, because the process that asks is stopped. */
  const hanging = async (): Promise<{ identity: Identity; evidenceId: string; goOn: () => void }> => {
    const identity = await withConsent(pausing);
    const { pid } = readStack().services['issuing-source-adapter']![0]!;
    process.kill(pid, 'SIGSTOP');
    const { body } = await identity.text(licence);
    return { identity, evidenceId: body.id, goOn: () => process.kill(pid, 'SIGCONT') };
  };

  test('ends in ERROR when work on it fails for good, which is announced once and is final', async () => {
    await issued();
    const open = await withConsent(asking);
    const blocked = (await open.document(specimen('selfie-same.jpg'))).body.id as string;
    await open.becomes(blocked, 'NOT_VERIFIED');
    const done = (await open.document(specimen('passport.jpg'))).body.id as string;
    await open.becomes(done, 'VERIFIED');
    const { identity, evidenceId, goOn } = await hanging();
    const failed = (await open.text(licence)).body.id as string;
    await heard(identity, 'PAUSED');
    expect((await identity.status(evidenceId)).status).toBe('PROCESSING');
    await waitFor('the evidence to be given up', () => published(identity).length === 3, 60_000);
    expect(published(identity).toSorted()).toEqual(['CREATED DRIVING_LICENSE ERROR', 'ERROR', 'PAUSED']);
    const error = receiver.received.find(
      ({ body }) => body.identityId === identity.id && body.identityStatus === 'ERROR' && !body.evidence,
    );
    expect(Object.keys(error!.body).sort()).toEqual(['completedAt', 'event', 'identityId', 'identityStatus']);
    expect(error!.body.event).toBe('IdentityStatusUpdate');

    expect(await identity.status(evidenceId)).toMatchObject({ status: 'NOT_VERIFIED', errors: [expect.anything()] });
    expect((await identity.get()).globalStatus.status).toBe('ERROR');
    expect((await pausing.relyingService.post(`${identity.at}/resume`)).status).toBe(409);
    expect((await identity.document(specimen('passport.jpg'))).status).toBe(409);
    expect((await identity.proof()).status).toBe(409);

    // In an open identity, only the evidence fails.
    await open.becomes(failed, 'NOT_VERIFIED', 60_000);
    expect((await open.get()).globalStatus.status).toBe('EXPECTING_INPUT');

    // The late answer has no effect, because the evidence has already failed.
    goOn();
    const { body: next } = await (await withConsent(asking)).text(licence);
    await waitFor('a check after it', () =>
      receiver.received.some(({ body }) => body.evidence?.evidenceId === next.id),
    );
    expect((await identity.status(evidenceId)).status).toBe('NOT_VERIFIED');
    expect(published(identity)).toHaveLength(3);
    expect(await progressInProof(open)).toMatchObject({ [blocked]: 'BLOCKED', [done]: 'DONE', [failed]: 'ERROR' });
  }, 120_000);

  test('gets the result of its evidence, stays paused, and continues when resumed', async () => {
    await issued();
    const { identity, evidenceId, goOn } = await hanging();
    await heard(identity, 'PAUSED');
    goOn();
    await identity.becomes(evidenceId, 'VERIFIED');
    await heard(identity, 'PAUSED', 'CREATED DRIVING_LICENSE PAUSED');
    expect((await identity.get()).globalStatus.status).toBe('PAUSED');
    expect((await pausing.relyingService.post(`${identity.at}/resume`)).status).toBe(200);
    expect((await identity.get()).globalStatus).toMatchObject({ status: 'EXPECTING_INPUT', levelOfAssurance: 'LOA1' });
    expect((await identity.proof()).status).toBe(200);
  });
});
