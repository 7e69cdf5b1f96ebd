import { spawnSync } from 'node:child_process';
import { licenceText, newIdentity, newTenant, type OwnSuite, specimen, type Tenant, waitFor } from '@assay/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { buildRelease, lastRelease } from '../faults/release.ts';

/* A release continues in place with what the former or the next release has stored. */

/** Used as the former release until one is tagged. */
const RECORDED = '74913401c4';
const WAIT_MS = 60_000;

const isTagged = (): boolean => spawnSync('git', ['describe', '--tags', '--abbrev=0', 'HEAD^']).status === 0;
const isHere = (ref: string): boolean => spawnSync('git', ['cat-file', '-e', `${ref}^{commit}`]).status === 0;

/**
 * The former release: FORMER_RELEASE, the last tag, or the commit above; or the reason if this
 * clone does not have it.
 */
const formerRelease = (): { ref: string } | { missing: string } => {
  const ref = process.env.FORMER_RELEASE ?? (isTagged() ? lastRelease() : RECORDED);
  return isHere(ref) ? { ref } : { missing: `this clone has no ${ref}, the release before` };
};

type Identity = Awaited<ReturnType<typeof newIdentity>>;

let tenant: Tenant;
const withText = async (number: string): Promise<{ identity: Identity; evidenceId: string }> => {
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('GIV');
  const { body } = await identity.text(licenceText({ number, expiryDate: '2035-04-15' }));
  return { identity, evidenceId: body.id };
};
const withCase = async (): Promise<{ identity: Identity; evidenceId: string }> => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(body.id, 'ADJUDICATION', WAIT_MS);
  return { identity, evidenceId: body.id };
};

const accept = async ({ identity, evidenceId }: Awaited<ReturnType<typeof withCase>>): Promise<void> => {
  const { body } = await tenant.operator.get('/operator/v1/cases?state=OPEN');
  const found = body.items.find((each: { evidenceId: string }) => each.evidenceId === evidenceId);
  await tenant.operator.post(`/operator/v1/cases/${found.caseId}/claim`);
  await tenant.operator.post(`/operator/v1/cases/${found.caseId}/decision`, { decision: 'ACCEPT', reasons: [] });
  await identity.becomes(evidenceId, 'VERIFIED', WAIT_MS);
};

/** Replaces the running services by those of a release. */
const replace = async (suite: OwnSuite, release?: string): Promise<void> => {
  await suite.down();
  await suite.up(release);
  // The first call on each connection to a former process finds it closed.
  const answers = () =>
    tenant.relyingService.get('/svc/healthcheck').then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitFor('the gateway', answers);
};

const deadLetters = async (): Promise<unknown[]> => (await tenant.admin.get('/admin/v1/dead-letters')).body.items;

interface Stored {
  done: Identity;
  proven: { identity: Identity; bytes: Buffer };
  waiting: Awaited<ReturnType<typeof withCase>>;
  /** Submitted just before the services end. */
  pending: Awaited<ReturnType<typeof withText>>;
}

/**
 * What a release stores: finished work, a retrieved proof, an adjudication case, and work on its
 * way.
 */
const store = async (numbers: readonly [string, string, string]): Promise<Stored> => {
  const [done, proven] = [await withText(numbers[0]), await withText(numbers[1])];
  for (const { identity, evidenceId } of [done, proven]) await identity.becomes(evidenceId, 'INVALID', WAIT_MS);
  const proof = await proven.identity.proof();
  expect(proof.status).toBe(200);
  const waiting = await withCase();
  const pending = await withText(numbers[2]);
  return { done: done.identity, proven: { identity: proven.identity, bytes: proof.bytes }, waiting, pending };
};

/** Another release continues with all of it. */
const goOn = async ({ done, proven, waiting, pending }: Stored): Promise<void> => {
  await pending.identity.becomes(pending.evidenceId, 'INVALID', WAIT_MS);
  await accept(waiting);
  const again = await proven.identity.proof();
  expect([again.status, again.bytes.equals(proven.bytes)]).toEqual([200, true]);
  for (const identity of [done, waiting.identity, pending.identity]) expect((await identity.proof()).status).toBe(200);
  const purged = async (identity: Identity) => (await tenant.relyingService.get(identity.at)).status === 410;
  for (const identity of [done, proven.identity]) await waitFor('the end', () => purged(identity));
  expect(await deadLetters()).toEqual([]);
};

const WITH_CASES = { issuingSources: { enabled: true }, adjudication: { enabled: true } };
const former = formerRelease();

/**
 * The former release continues with what this one stored. Leaves the suite on the former release.
 */
export const rollbackStory = (suiteOf: () => OwnSuite): void => {
  if ('missing' in former) return void test.skip(`is not tried: ${former.missing}`, () => undefined);
  beforeAll(async () => {
    tenant = await newTenant('upgraded', WITH_CASES);
  });

  test('to the former release continues with documents, cases, proofs and work on its way', async () => {
    const stored = await store(['T64235801', 'T64235802', 'T64235803']);
    await replace(suiteOf(), buildRelease(former.ref, () => undefined).folder);
    await goOn(stored);
  }, 240_000);
};

/** This release continues in place with what the former one stored. Runs after the rollback. */
export const upgradeStory = (suiteOf: () => OwnSuite): void => {
  if ('missing' in former) return void test.skip(`is not tried: ${former.missing}`, () => undefined);

  test('from the former release continues with what that one stored', async () => {
    const stored = await store(['T64235811', 'T64235812', 'T64235813']);
    await replace(suiteOf());
    await goOn(stored);
  }, 240_000);
};
