import { type EvidenceType, TEXT_DOCUMENT_TYPES, type TrustLevel, type VerificationSettings } from '@assay/contracts';
import type { EvidenceKind, Policy } from '@assay/policy';
import { applyRules, levelNumber } from './apply-rules.ts';

/** A submission that is still possible, and its score if all of its checks succeed. */
export interface PossibleSubmission {
  kind: EvidenceKind;
  evidenceTypes: EvidenceType[];
  score: TrustLevel;
  strength: number;
  /** What it also needs: an answer of the issuing source, or the chip. */
  with?: 'GIV' | 'CHIP';
  /** It shows a face that can be compared with a portrait. */
  face: boolean;
  /** It counts only beside a VERIFIED document. */
  needsDocument: boolean;
}

const READ = ['MODEL_RECOGNIZED_OK', 'MRZ_CHECKSUMS_OK', 'MRZ_FIELDS_SYNTAX_OK', 'DOC_EXPIRATION_DATE_OK'];
const SIGNED = ['PASSIVE_AUTHENTICATION_CHECK_OK', 'DATA_GROUP1_CHECK_OK', 'DOC_EXPIRATION_DATE_OK'];
const WITH_CHIP: EvidenceType[] = ['PASSPORT', 'IDENTITY_CARD', 'RESIDENT_CARD'];
const CONFIRMED = ['GIV_ELIGIBILITY_OK', 'GIV_AVAILABILITY_OK', 'GIV_VERIFICATION_VERIFIED'];
const PHOTOGRAPHED: EvidenceType[] = ['PASSPORT', 'IDENTITY_CARD', 'RESIDENT_CARD', 'DRIVING_LICENSE'];
/** The types that are sent to a source after a capture (specification, Issuing sources). */
const SENT_BY_IMAGE: EvidenceType[] = ['IDENTITY_CARD', 'DRIVING_LICENSE'];

interface Success {
  kind: EvidenceKind;
  types: readonly EvidenceType[];
  raised: string[];
  giv?: boolean;
  face?: boolean;
  needsDocument?: boolean;
}

/**
 * The indicators of a submission whose checks all succeed. Checks that cannot be made are not among
 * them: no path depends on one.
 */
const SUCCESSES: readonly Success[] = [
  {
    kind: 'documentImage',
    types: PHOTOGRAPHED,
    raised: [...READ, 'PHOTOCOPY_DETECTION_FAILED', 'PORTRAIT_OK'],
    face: true,
  },
  { kind: 'documentImage', types: PHOTOGRAPHED, raised: [...READ, 'PORTRAIT_OK'], face: true },
  {
    kind: 'documentImage',
    types: SENT_BY_IMAGE,
    raised: [...READ, 'PORTRAIT_OK', ...CONFIRMED],
    giv: true,
    face: true,
  },
  { kind: 'documentChip', types: WITH_CHIP, raised: SIGNED, face: true },
  {
    kind: 'documentChip',
    types: WITH_CHIP,
    raised: [...SIGNED, 'ACTIVE_AUTHENTICATION_CHECK_OK'],
    face: true,
  },
  { kind: 'documentText', types: TEXT_DOCUMENT_TYPES, raised: CONFIRMED, giv: true },
  { kind: 'healthCard', types: ['MEDICARE'], raised: CONFIRMED, giv: true },
  {
    kind: 'attributes',
    types: ['ATTRIBUTES'],
    raised: ['ATTRIBUTES_VALIDITY_OK', 'NAME_CONSISTENCY_CHECK_OK'],
    needsDocument: true,
  },
  { kind: 'contact', types: ['EMAIL'], raised: ['EMAIL_OTP_VALIDATION_OK'] },
  { kind: 'contact', types: ['MOBILE_OTP'], raised: ['MOBILE_OTP_VALIDATION_OK'] },
];

export const MATCHED = [
  'BIOMETRIC_QUALITY_CHECK_OK',
  'BIOMETRIC_MATCHING_CHECK_OK',
  'BIOMETRIC_LIVENESS_CHALLENGE_UNVERIFIED',
];

/**
 * Everything that a client of this tenant can still submit, grouped by score: types with the same
 * score are one offer.
 */
export const possibleSubmissions = (
  policy: Policy,
  settings: Pick<VerificationSettings, 'issuingSources'>,
): PossibleSubmission[] => {
  const offers = new Map<string, PossibleSubmission>();
  for (const { kind, types, raised, giv = false, face = false, needsDocument = false } of SUCCESSES)
    for (const type of types) {
      const rules = policy.kinds[kind];
      const result = applyRules({ rules, type, raised, rejected: false, settings: { acceptSpecimens: false } });
      if (!rules.counts || result.status !== 'VERIFIED' || !result.score) continue;
      if (giv && !settings.issuingSources.enabled) continue;
      const strength = levelNumber(result.strength);
      const key = [kind, result.score, strength, giv, kind === 'contact' ? '' : face].join();
      const known = offers.get(key);
      if (known) known.evidenceTypes = [...new Set([...known.evidenceTypes, type])];
      else
        offers.set(key, {
          kind,
          evidenceTypes: [type],
          score: result.score,
          strength,
          face,
          needsDocument,
          ...(giv ? { with: 'GIV' } : {}),
          ...(kind === 'documentChip' ? { with: 'CHIP' } : {}),
        });
    }
  return [...offers.values()];
};

/**
 * The offers that count if only the best evidence of each type does: those of types that do not
 * count yet.
 */
export const withoutTypes = (
  offers: readonly PossibleSubmission[],
  taken: readonly EvidenceType[],
): PossibleSubmission[] =>
  offers
    .map((offer) => ({ ...offer, evidenceTypes: offer.evidenceTypes.filter((type) => !taken.includes(type)) }))
    .filter(({ evidenceTypes }) => evidenceTypes.length > 0);

/** True if each of the offers can be taken with a type of its own. */
export const haveOwnTypes = (offers: readonly PossibleSubmission[], used: readonly EvidenceType[] = []): boolean => {
  const [first, ...rest] = offers;
  if (!first) return true;
  return first.evidenceTypes.some((type) => !used.includes(type) && haveOwnTypes(rest, [...used, type]));
};
