import { inspectProof, readKeys } from '@assay/client';
import { newIdentity, newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';

/**
 * What the gateway has answered is in force for every reader at once: no reply and no proof relies
 * on what was deleted or withdrawn.
 */

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('in force');
});

const verified = async () => {
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('PORTRAIT');
  const document = (await identity.document(specimen('passport.jpg'))).body.id as string;
  await identity.becomes(document, 'VERIFIED');
  const portrait = (await identity.portrait(specimen('selfie-same.jpg'))).body.id as string;
  await identity.becomes(portrait, 'VERIFIED');
  expect((await identity.get()).globalStatus.levelOfAssurance).toBe('LOA2');
  return { identity, document, portrait };
};
/** The global status in a proof, once the proof has verified. */
const said = async (bytes: Buffer) => {
  const keys = readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
  const { report, contents } = await inspectProof(bytes, keys);
  expect(report.reasons).toEqual([]);
  return JSON.parse(contents!.json['identityDetails.json'].toString()).globalStatus;
};
const rounds = Array.from({ length: 5 }, (_, round) => round + 1);

describe.each(rounds)('right after the deletion of the document, round %i,', () => {
  test('the identity and its evidences are read without it', async () => {
    const { identity, document, portrait } = await verified();
    expect((await tenant.relyingService.delete(`${identity.at}/evidences/${document}`)).status).toBe(200);
    const [full, status] = await Promise.all([identity.get(), identity.status(portrait)]);
    expect(full.globalStatus.levelOfAssurance).toBe('LOA0');
    expect(full.globalStatus.portraitReferenceEvidenceId).toBeUndefined();
    expect(status.status).toBe('NOT_VERIFIED');
  });

  test('the proof is signed without it', async () => {
    const { identity, document } = await verified();
    expect((await tenant.relyingService.delete(`${identity.at}/evidences/${document}`)).status).toBe(200);
    const proof = await waitFor('the proof', async () => {
      const answer = await identity.proof();
      return answer.status === 200 && answer;
    });
    const { levelOfAssurance, ...references } = await said(proof.bytes);
    expect(levelOfAssurance).toBe('LOA0');
    expect(JSON.stringify(references)).not.toContain(document);
  });
});

test('right after the withdrawal of a consent, the evidence that needs it is no longer VERIFIED', async () => {
  const { identity, portrait } = await verified();
  const [{ consentId }] = (await identity.get()).consents;
  expect((await tenant.relyingService.delete(`${identity.at}/consents/${consentId}`)).status).toBeLessThan(300);
  expect((await identity.get()).globalStatus.levelOfAssurance).not.toBe('LOA2');
  expect((await identity.status(portrait)).status).not.toBe('VERIFIED');
});
