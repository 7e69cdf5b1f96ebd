import fc from 'fast-check';
import type { CaseFacts, EvidenceFacts, FieldAgreement } from '../domain/facts.ts';
import {
  AUTHENTIC,
  agreement,
  caseOf,
  compared,
  consentTo,
  contact,
  documentChip,
  documentImage,
  documentText,
  GENUINE,
  healthCard,
  PARTLY,
  portrait,
  portraitReference,
  settingsWith,
  statement,
} from './case-builders.ts';

export const at = (minute: number) => `2026-05-01T10:${String(minute).padStart(2, '0')}:00.000`;
const issuer = fc.constantFrom('VERIFIED', 'FAILED', 'UNVERIFIED', 'NONE');
const settings = fc
  .boolean()
  .map((enabled) => settingsWith({ adjudication: { enabled, fourEyes: false, expirySeconds: 60 } }));
const images = fc.constantFrom(
  AUTHENTIC,
  PARTLY,
  [...AUTHENTIC, 'OCR_SURNAME_WARNING'],
  [...AUTHENTIC, 'BLUR_IMAGE_QUALITY_FRONT_FAILED'],
  AUTHENTIC.map((one) => one.replace('DATE_OK', 'DATE_FAILED')),
  [],
);

const chips = fc.constantFrom(
  GENUINE,
  GENUINE.filter((one) => !one.startsWith('ACTIVE')),
  GENUINE.map((one) => one.replace('ACTIVE_AUTHENTICATION_CHECK_OK', 'ACTIVE_AUTHENTICATION_CHECK_FAILED')),
  GENUINE.map((one) => one.replace('PASSIVE_AUTHENTICATION_CHECK_OK', 'PASSIVE_AUTHENTICATION_CHECK_UNVERIFIED')),
);

/** Any possible evidence. Ids are set afterwards, because a repeated id has no meaning. */
export const anEvidence: fc.Arbitrary<(id: string) => EvidenceFacts> = fc.oneof(
  fc
    .record({
      raised: images,
      issuer,
      settings,
      type: fc.constantFrom('PASSPORT' as const, 'IDENTITY_CARD' as const, 'VISA' as const),
      face: fc.boolean(),
    })
    .map(({ face, ...more }) => (id: string) => {
      const one = documentImage(id, more);
      if (!face) delete one.face;
      return one;
    }),
  fc.record({ issuer, settings }).map((more) => (id: string) => ({
    ...documentText(id, more),
    ...(more.issuer === 'NONE' ? { awaitingIssuer: true } : {}),
  })),
  fc.record({ settings, raised: chips }).map((more) => (id: string) => documentChip(id, more)),
  issuer.map((result) => (id: string) => healthCard(id, result)),
  settings.map((current) => (id: string) => portrait(id, { settings: current })),
  fc.constant((id: string) => portraitReference(id)),
  fc.constantFrom('attributes' as const, 'address' as const).map((kind) => (id: string) => statement(id, kind)),
  fc.constant((id: string) => contact(id, 'EMAIL')),
);

const fieldAgreement = fc.constantFrom<FieldAgreement>('AGREE', 'AGREE', 'DISAGREE', 'UNKNOWN');

/** Any case: up to six evidences, with any distances and agreements between them. */
export const aCase: fc.Arbitrary<CaseFacts> = fc
  .array(fc.tuple(anEvidence, fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 6 })
  .chain((made) => {
    const evidences = made.map(([make, minute], index) => ({
      ...make(`evidence-${index}`),
      submitDateTime: at(minute),
    }));
    const pairs = evidences.flatMap((one, index) => evidences.slice(index + 1).map((other) => [one, other] as const));
    const faces = evidences
      .filter(({ kind }) => kind === 'portrait')
      .flatMap((one) =>
        evidences.filter(({ face, kind }) => face && kind !== 'portrait').map((other) => [one, other] as const),
      );
    return fc
      .record({
        fieldAgreements: fc.array(fieldAgreement, { minLength: pairs.length, maxLength: pairs.length }),
        distances: fc.array(fc.constantFrom(0.2, 0.4, 0.59, 0.63, 0.8), {
          minLength: faces.length,
          maxLength: faces.length,
        }),
        consents: fc.constantFrom(consentTo('GIV', 'PORTRAIT'), consentTo('PORTRAIT'), consentTo('GIV')),
        withdrawn: fc.boolean(),
      })
      .map(({ fieldAgreements, distances, consents, withdrawn }) =>
        caseOf(evidences, {
          agreements: pairs.map(([a, b], index) => agreement(a.evidenceId, b.evidenceId, fieldAgreements[index]!)),
          comparisons: faces.map(([a, b], index) => compared(a.evidenceId, b.evidenceId, distances[index]!)),
          consents: {
            known: consents,
            revision: 2,
            deleted: withdrawn ? consentTo('GIV').map(({ consentId }) => consentId) : [],
          },
        }),
      );
  });

/** The same facts in another order. */
export const shuffled = (facts: CaseFacts, seed: number): CaseFacts => {
  const turn = <T>(list: readonly T[]): T[] => {
    const by = list.length === 0 ? 0 : seed % list.length;
    const turned = [...list.slice(by), ...list.slice(0, by)];
    return seed % 2 === 0 ? turned.reverse() : turned;
  };
  return {
    ...facts,
    evidences: turn(facts.evidences).map((one) => ({
      ...one,
      participants: turn(one.participants).map((part) => ({
        ...part,
        raisedIndicators: turn(part.raisedIndicators ?? []),
      })),
    })),
    comparisons: turn(facts.comparisons),
    agreements: turn(facts.agreements).map((one) => (seed % 3 === 0 ? { ...one, a: one.b, b: one.a } : one)),
  };
};

/** The case without an evidence. */
export const without = (facts: CaseFacts, id: string): CaseFacts => ({
  ...facts,
  evidences: facts.evidences.filter(({ evidenceId }) => evidenceId !== id),
  comparisons: facts.comparisons.filter((one) => one.portraitId !== id && one.referenceId !== id),
  agreements: facts.agreements.filter(({ a, b }) => a !== id && b !== id),
});
