import { inspectProof, readKeys } from '@assay/client';
import type { VerificationAndEvaluationDetails } from '@assay/contracts';
import { newIdentity, newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Ears, type Identity, openEars, remove, selfie, submitted } from './setup/ears.ts';

/**
 * All endpoints and the proof agree on an identity, also after a later evidence has changed the
 * result of an earlier one.
 */

let ears: Ears;
let tenant: Tenant;
beforeAll(async () => {
  ears = await openEars();
  tenant = await newTenant('one claim', { webhook: ears.webhook });
});
afterAll(() => ears.close());

/**
 * The statuses of the evidences and the level of assurance, as one endpoint or the proof shows
 * them.
 */
interface Said {
  level: string;
  evidences: Record<string, string>;
}
interface Listed {
  evidenceId: string;
  evidenceStatus: { status: string };
}
const said = (level: string, pairs: readonly (readonly [id: string, status: string])[]): Said => ({
  level,
  evidences: Object.fromEntries([...pairs].sort()),
});

/** What every endpoint shows for these evidences. */
const endpointsSay = async ({ at, get, status }: Identity, ids: readonly string[]): Promise<Said[]> => {
  const { globalStatus, idDocuments, portrait } = await get();
  const { body: list } = await tenant.relyingService.get(`${at}/status`);
  const listed: Listed[] = [...idDocuments, ...(portrait ? [portrait] : [])];
  const polled = await Promise.all(ids.map(async (id) => [id, (await status(id)).status] as const));
  const named = await Promise.all(
    ids.map(async (id) => [id, (await tenant.relyingService.get(`${at}/evidences/${id}/status`)).body.status] as const),
  );
  return [
    said(
      globalStatus.levelOfAssurance,
      listed.map(({ evidenceId, evidenceStatus }) => [evidenceId, evidenceStatus.status]),
    ),
    said(
      list.globalStatus.levelOfAssurance,
      list.singleStatuses.map((one: { id: string; status: string }) => [one.id, one.status]),
    ),
    said(globalStatus.levelOfAssurance, polled),
    said(globalStatus.levelOfAssurance, named),
  ];
};

/** What the signed proof shows for the evidences that are not deleted. */
const proofSays = async (identity: Identity): Promise<Said> => {
  const keys = readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
  const { report, contents } = await inspectProof((await identity.proof()).bytes, keys);
  expect(report.reasons).toEqual([]);
  const file = contents!.json['verificationAndEvaluationDetails.json']!.toString();
  const elements: VerificationAndEvaluationDetails[] = JSON.parse(file);
  const deleted = new Set(
    elements.flatMap(({ identityOperation: { type }, participantContextId }) =>
      type === 'DELETE' ? [participantContextId] : [],
    ),
  );
  const evaluated = elements
    .flatMap(({ evaluationDetails }) => evaluationDetails?.evidences ?? [])
    .filter(({ id }) => !deleted.has(id));
  return said(
    report.proof!.levelOfAssurance!,
    evaluated.map(({ id, statusAndScoring }) => [id, statusAndScoring!.status!]),
  );
};

const allSay = async (identity: Identity, expected: Said): Promise<void> => {
  const ids = Object.keys(expected.evidences);
  await waitFor('the level', async () => (await identity.get()).globalStatus.levelOfAssurance === expected.level);
  for (const one of await endpointsSay(identity, ids)) expect(one).toEqual(expected);
};

test('a selfie is VERIFIED nowhere once its passport is deleted and one with another face is left', async () => {
  const identity = await newIdentity(tenant.relyingService);
  const genuine = await submitted(identity, 'passport.jpg', 'VERIFIED');
  const portrait = await selfie(identity, 'selfie-same.jpg', 'VERIFIED');
  await allSay(
    identity,
    said('LOA2', [
      [genuine, 'VERIFIED'],
      [portrait, 'VERIFIED'],
    ]),
  );
  const other = await submitted(identity, 'passport-other-portrait.jpg', 'VERIFIED');
  await remove(tenant, identity, genuine);
  await identity.becomes(portrait, 'INVALID');
  const left = said('LOA1', [
    [other, 'VERIFIED'],
    [portrait, 'INVALID'],
  ]);
  await allSay(identity, left);
  const created = ['CREATED PASSPORT', 'CREATED PORTRAIT', 'CREATED PASSPORT'];
  await ears.settled(identity, ...created, 'DELETED PASSPORT', 'UPDATED PORTRAIT');
  expect(await proofSays(identity)).toEqual(left);
});

test('once one of two passports is deleted, the other one counts alone', async () => {
  const identity = await newIdentity(tenant.relyingService);
  const genuine = await submitted(identity, 'passport.jpg', 'VERIFIED');
  const other = await submitted(identity, 'passport-other-portrait.jpg', 'VERIFIED');
  expect((await remove(tenant, identity, other)).status).toBeLessThan(300);
  const left = said('LOA1', [[genuine, 'VERIFIED']]);
  await allSay(identity, left);
  expect(await proofSays(identity)).toEqual(left);
});
