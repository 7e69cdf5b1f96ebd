import { evidenceEvaluated, formatDateTime, type ProofRequest } from '@assay/contracts';
import { newIdentity, newTenant, specimen, type Tenant } from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Identity } from '../services/gateway/src/domain/identity.ts';
import { winProof } from '../services/gateway/src/domain/retrieval.ts';
import { isBusy } from '../services/gateway/src/domain/status.ts';
import { identityView } from '../services/gateway/src/domain/views.ts';
import { idOf, NOW } from '../services/gateway/src/testing/builders.ts';
import { elementsOf } from '../services/proof-builder/src/domain/elements.ts';
import { gather } from '../services/proof-builder/src/domain/history.ts';
import { gapsOf } from '../services/proof-builder/src/domain/readiness.ts';
import { anyStep, play } from './setup/any-identity.ts';

/**
 * After any sequence of calls: once no evidence is in process, the history of the identity is
 * complete and its proof can be retrieved.
 */

const requestOf = (identity: Identity): ProofRequest => ({
  proofId: idOf(1),
  identity: identityView(identity, 'RELYING_SERVICE', () => ({})),
  tenantRole: 'RELYING_SERVICE',
  tenantUsed: 'default 1',
  caseRevision: identity.caseRevision,
  consentsRevision: identity.consentsRevision,
  operationIds: identity.operationIds,
  evidenceIds: identity.evidences.map(({ evidenceId }) => evidenceId),
  startDateTime: formatDateTime(NOW),
  videosInProof: false,
  graceSeconds: 60,
});

test('after any sequence of calls, the proof waits for nothing, and contains each evidence and consent once, a deleted one twice', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const { identity, records } = play(steps);
      expect(isBusy(identity)).toBe(false);
      expect(winProof(identity, { proofId: idOf(1), role: 'RELYING_SERVICE', now: NOW })).toHaveProperty(
        'set.state',
        'PROVING',
      );
      const request = requestOf(identity);
      const history = gather(records);
      expect(gapsOf(request, history)).toEqual([]);
      const ids = elementsOf(history, { ...request, media: new Map() })
        .filter(({ identityOperation }) => identityOperation.name !== 'CONSENTS')
        .map(({ participantContextId }) => participantContextId);
      const { evidences, deletedEvidenceIds } = identity;
      const expected = [...evidences.map(({ evidenceId }) => evidenceId), ...deletedEvidenceIds, ...deletedEvidenceIds];
      expect(ids.sort()).toEqual(expected.sort());
    }),
    { numRuns: 400 },
  );
});

test('the proof waits for any event that has not arrived', () => {
  // The retrieval itself names the evaluation that the proof waits for. Of the changes to a
  // contact, the proof waits for those that a call made.
  const unneeded = [
    'evaluation.published',
    'identity.status-changed',
    'one-time-code.requested',
    evidenceEvaluated.type,
  ];
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 25 }), fc.nat(), (steps, nth) => {
      const { identity, records } = play(steps);
      // A deleted session may never have been submitted, so no event reports it.
      const mayBeUnsaid = ({ evidenceId, sessionId }: { evidenceId?: string; sessionId?: string }): boolean =>
        sessionId !== undefined && identity.deletedEvidenceIds.includes(evidenceId!);
      const said = records.filter(({ data }) => !mayBeUnsaid(data as object));
      const needed = said.filter(({ type, data }) =>
        type === 'contact.changed'
          ? (data as { operationId?: string }).operationId !== undefined
          : !unneeded.includes(type),
      );
      const missing = needed[nth % needed.length];
      const rest = records.filter((one) => one !== missing);
      expect(gapsOf(requestOf(identity), gather(rest))).not.toEqual([]);
    }),
    { numRuns: 400 },
  );
});

describe('with a one-time code that was started', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant('codes and proofs');
  });

  const withCode = async () => {
    const identity = await newIdentity(tenant.relyingService);
    await identity.consent('EMAIL_OTP');
    const { status, body } = await tenant.relyingService.post(`${identity.at}/contacts/email`, {
      value: 'somebody@example.org',
    });
    expect(status).toBe(200);
    return { identity, contact: body.id as string };
  };

  test('and never answered, the proof can be retrieved', async () => {
    const { identity } = await withCode();
    const document = (await identity.document(specimen('passport.jpg'))).body.id;
    await identity.becomes(document, 'VERIFIED');
    expect((await identity.proof()).status).toBe(200);
  });

  test('and deleted, the contact is absent and the proof can be retrieved', async () => {
    const { identity, contact } = await withCode();
    expect((await tenant.relyingService.delete(`${identity.at}/evidences/${contact}`)).status).toBeLessThan(300);
    expect((await tenant.relyingService.get(`${identity.at}/contacts/email`)).status).toBe(404);
    expect((await tenant.relyingService.delete(`${identity.at}/evidences/${contact}`)).status).toBe(404);
    expect((await identity.proof()).status).toBe(200);
  });
});
