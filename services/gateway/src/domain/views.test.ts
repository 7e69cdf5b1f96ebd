import {
  type ErrorObject,
  EVIDENCE_STATUSES,
  EVIDENCE_TYPES,
  EvidenceStatusReplySchema,
  IdentityCreatedSchema,
  IdentitySchema,
  IdentityStatusReplySchema,
  present,
  violationsOf,
} from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anEvidence, anIdentity, idOf } from '../testing/builders.ts';
import type { Evidence, Identity } from './identity.ts';
import { createdView, currentPortrait, evidenceStatusReply, identityView, statusReply } from './views.ts';

const AT = '2026-03-01T10:00:00.000';
const error = { code: '1501', message: 'the document has expired' };

/** An evidence after any evaluation, or before the first. */
const anyEvidence = (number: number): fc.Arbitrary<Evidence> =>
  fc
    .record(
      {
        type: fc.constantFrom(
          ...EVIDENCE_TYPES.filter((type) => !['PORTRAIT_REFERENCE', 'ADDITIONAL_FILE'].includes(type)),
        ),
        status: fc.constantFrom(...EVIDENCE_STATUSES),
        captured: fc.constant(false),
        isAdjudicable: fc.boolean(),
        evaluationDateTime: fc.constant(AT),
        strength: fc.constantFrom('LEVEL1' as const, 'LEVEL4' as const),
        score: fc.constantFrom('LEVEL1' as const, 'LEVEL3' as const),
        positiveIndicators: fc.constant<string[]>(['MRZ_CHECKSUMS_OK']),
        warningIndicators: fc.constant<string[]>([]),
        unverifiedIndicators: fc.constant<string[]>([]),
        errors: fc.constant<ErrorObject[]>([error]),
        portraitQuality: fc.boolean(),
      },
      { requiredKeys: ['type', 'status'] },
    )
    .map((more) => anEvidence(number, more));
const anyIdentity = fc
  .nat(6)
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, number) => anyEvidence(number))))
  .map((evidences) => anIdentity({ evidences }));

const data = { idDocumentData: { idDocumentNumber: { value: 'X1', verified: true } } };
const view = (identity: Identity, role: 'RELYING_SERVICE' | 'USER_AGENT' = 'RELYING_SERVICE') =>
  identityView(identity, role, () => ({}));

describe('the replies of an identity', () => {
  test('have the shapes of the contract, whatever was submitted and with any result', () => {
    fc.assert(
      fc.property(anyIdentity, (identity) => {
        expect(violationsOf(IdentityCreatedSchema, createdView(identity))).toEqual([]);
        expect(violationsOf(IdentitySchema, view(identity))).toEqual([]);
        expect(violationsOf(IdentitySchema, view(identity, 'USER_AGENT'))).toEqual([]);
        expect(violationsOf(IdentityStatusReplySchema, statusReply(identity))).toEqual([]);
        for (const evidence of identity.evidences)
          expect(violationsOf(EvidenceStatusReplySchema, evidenceStatusReply(evidence))).toEqual([]);
      }),
    );
  });

  test('agree about an identity and about each evidence', () => {
    fc.assert(
      fc.property(anyIdentity, (identity) => {
        const whole = view(identity);
        const { globalStatus, singleStatuses } = statusReply(identity);
        expect(globalStatus).toEqual(whole.globalStatus);
        const listed = [...whole.idDocuments, ...whole.attributes, ...whole.addresses];
        for (const { evidenceId, evidenceStatus } of listed)
          expect(singleStatuses.find(({ id }) => id === evidenceId)?.status).toBe(evidenceStatus.status);
      }),
    );
  });

  test('show a user agent status, time, whether it can be adjudicated, and errors: nothing else', () => {
    const permitted = ['evaluationDateTime', 'status', 'isAdjudicable', 'errors'];
    fc.assert(
      fc.property(anyIdentity, (identity) => {
        const { idDocuments, attributes, addresses, portrait } = view(identity, 'USER_AGENT');
        const shown = [...idDocuments, ...attributes, ...addresses, ...(portrait ? [portrait] : [])];
        for (const { evidenceStatus } of shown)
          expect(Object.keys(evidenceStatus).filter((name) => !permitted.includes(name))).toEqual([]);
      }),
    );
  });

  test('name no error of a VERIFIED evidence: some clients treat any value as a failure', () => {
    const verified = anEvidence(1, { status: 'VERIFIED', errors: [error] });
    expect(evidenceStatusReply(verified)).toEqual({ status: 'VERIFIED', type: 'PASSPORT', id: idOf(1) });
    expect(view(anIdentity({ evidences: [verified] })).idDocuments[0]?.evidenceStatus).not.toHaveProperty('errors');
    expect(evidenceStatusReply({ ...verified, status: 'INVALID' }).errors).toEqual([error]);
  });
});

describe('a document in a retrieval', () => {
  const shown = (evidence: Evidence, open = {}) =>
    identityView(anIdentity({ evidences: [evidence] }), 'RELYING_SERVICE', () => open).idDocuments[0];

  test('shows its data, an empty object if nothing was read, and no data before it is finished', () => {
    expect(shown(anEvidence(1, { status: 'VERIFIED' }), data)?.idDocumentData).toEqual(data.idDocumentData);
    expect(shown(anEvidence(1, { status: 'NOT_VERIFIED' }))?.idDocumentData).toEqual({});
    expect(shown(anEvidence(1, { status: 'PROCESSING' }))).not.toHaveProperty('idDocumentData');
  });
});

describe('the portrait in a retrieval', () => {
  const portrait = (number: number, captured?: boolean) =>
    anEvidence(number, { type: 'PORTRAIT', ...present({ captured }) });
  const shown = (...evidences: Evidence[]) => currentPortrait({ evidences })?.evidenceId;

  test('is the newest that has a picture, or a session without one if there is no other', () => {
    expect(shown(anEvidence(1))).toBeUndefined();
    expect(shown(portrait(1), portrait(2, true), anEvidence(3))).toBe(idOf(2));
    expect(shown(portrait(1), portrait(2, false))).toBe(idOf(1));
    expect(shown(portrait(1, false), portrait(2, false))).toBe(idOf(2));
  });
});
