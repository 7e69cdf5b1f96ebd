import { EVIDENCE_STATUSES } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aContact, after, anEvidence, anIdentity, idOf, outcome } from '../testing/builders.ts';
import { deleteEvidence, kindOfDeletion } from './deletion.ts';
import { BOUNDS } from './identity.ts';
import { identityStatusOf } from './status.ts';

const deletion = (number: number) => ({ evidenceId: idOf(number), operationId: idOf(900), now: after(60) });
const contact = aContact();

describe('a deleted evidence', () => {
  test('leaves everything else unchanged, and is announced once, with the status of the rest', () => {
    const anyStatuses = fc.array(fc.constantFrom(...EVIDENCE_STATUSES), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(anyStatuses, fc.nat(), (statuses, nth) => {
        // Given an identity with some evidences
        const evidences = statuses.map((status, number) => anEvidence(number, { status }));
        const identity = anIdentity({ evidences });
        const number = nth % evidences.length;
        // When one is deleted
        const decision = deleteEvidence(identity, deletion(number));
        const { identity: left, published } = outcome(identity, decision);
        // Then the others stay in their order, and the client is notified of the identity without
        // it
        expect(left.evidences).toEqual(evidences.filter((_, index) => index !== number));
        expect(left.deletedEvidenceIds).toEqual([idOf(number)]);
        expect(left.awaited).toEqual({ deletions: 1, consentsRevision: 0 });
        expect(published).toEqual(['evidence.deleted', 'evaluation.published']);
        expect(decision).toMatchObject({ events: [{}, { data: { identityStatus: identityStatusOf(left) } }] });
        // And it cannot be deleted again
        expect(deleteEvidence(left, deletion(number))).toEqual({ refused: 'NOT_FOUND' });
      }),
    );
  });

  test.each(['PAUSED', 'ERROR'] as const)('can be deleted while the identity is %s, which it stays', (state) => {
    const paused = anIdentity({ state, evidences: [anEvidence(1)] });
    const decision = deleteEvidence(paused, deletion(1));
    expect(outcome(paused, decision).identity).toMatchObject({ state, evidences: [], expiresAt: paused.expiresAt });
    expect(decision).toMatchObject({ events: [{}, { data: { identityStatus: state } }] });
  });

  test.each([
    ['PROVING', 'STATE_CONFLICT'],
    ['CLOSED', 'CLOSED'],
  ] as const)('is none while the identity is %s: %s', (state, refused) => {
    expect(deleteEvidence(anIdentity({ state, evidences: [anEvidence(1)] }), deletion(1))).toEqual({ refused });
  });

  test('can be deleted even after the most operations', () => {
    const operationIds = Array.from({ length: BOUNDS.operations }, (_, number) => idOf(number));
    const worn = anIdentity({ operationIds, evidences: [anEvidence(1)] });
    expect(outcome(worn, deleteEvidence(worn, deletion(1))).refused).toBeUndefined();
  });
});

describe('a contact whose code was not answered', () => {
  test('is deleted without an event: it is no evidence yet', () => {
    const identity = anIdentity({ contacts: [contact], otpDueAt: contact.otp.expiresAt });
    const { identity: left, published } = outcome(identity, deleteEvidence(identity, deletion(7)));
    expect(published).toEqual([]);
    expect([left.contacts, left.otpDueAt, left.deletedEvidenceIds]).toEqual([[], undefined, []]);
  });

  test('is recorded by the call that started it; an evidence by the call that submitted it', () => {
    const identity = anIdentity({ contacts: [contact], evidences: [anEvidence(1)] });
    const kindOf = (number: number) => kindOfDeletion(identity, idOf(number));
    expect(kindOf(7)).toEqual({ name: 'EMAIL_OTP', type: 'DELETE', contextIds: [idOf(7)] });
    expect(kindOf(1)).toEqual({ name: 'ID_DOCUMENT_CAPTURE', type: 'DELETE', contextIds: [idOf(1)] });
    expect(kindOf(2)).toEqual({ type: 'DELETE', contextIds: [idOf(2)] });
  });
});
