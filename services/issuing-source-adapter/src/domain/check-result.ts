import { type Indicator, indicator, present } from '@assay/contracts';
import type { SourceAnswer } from './answer.ts';
import type { Eligibility } from './eligibility.ts';
import type { Shortfall } from './question.ts';
import type { QuestionField } from './source.ts';

/** The result of a check, and everything it raises. */
export interface CheckResult {
  result: 'VERIFIED' | 'FAILED' | 'UNVERIFIED';
  raised: Indicator[];
  /** The values that the source was asked about: no other one is confirmed. */
  asked?: readonly QuestionField[];
  /**
   * Values of which only a part is the same: they are not confirmed, whatever a comparison says.
   */
  partly?: readonly QuestionField[];
}

const verification = (result: CheckResult['result']): Indicator => indicator('GIV_VERIFICATION', result);

/** No source covers the document: nothing was verified, and nothing counts against it. */
export const notEligible = (): CheckResult => ({
  result: 'UNVERIFIED',
  raised: [indicator('GIV_ELIGIBILITY', 'FAILED'), verification('UNVERIFIED')],
});

/** The consent to ask was withdrawn: the source is not asked, as if there had been no consent. */
export const notConsented = (): CheckResult => ({ result: 'UNVERIFIED', raised: [verification('UNVERIFIED')] });

type Eligible = Extract<Eligibility, { eligible: true }>;

const beforehand = ({ someCardsOnly }: Eligible, { doubtful }: Shortfall): Indicator[] => [
  indicator('GIV_ELIGIBILITY', someCardsOnly ? 'WARNING' : 'OK'),
  ...(doubtful.length > 0 ? [indicator('GOV_DATA_FORMAT', 'WARNING')] : []),
];

/** The source could be asked, but not without what the document lacks. */
export const notAskable = (eligible: Eligible): CheckResult => ({
  result: 'UNVERIFIED',
  raised: [
    indicator('GIV_ELIGIBILITY', eligible.someCardsOnly ? 'WARNING' : 'OK'),
    indicator('GOV_DATA_FORMAT', 'FAILED'),
    verification('UNVERIFIED'),
  ],
});

/**
 * A source that has the document with another type does not confirm the one that was asked about,
 * even if everything else is right.
 */
const resultOf = ({ result, raised }: SourceAnswer): CheckResult['result'] =>
  result === 'VERIFIED' && raised.includes(indicator('IDDOCUMENT_TYPE_COMPARE', 'FAILED')) ? 'UNVERIFIED' : result;

/** The source answered. */
export const answered = (eligible: Eligible, shortfall: Shortfall, answer: SourceAnswer): CheckResult => {
  const result = resultOf(answer);
  return {
    result,
    raised: [
      ...beforehand(eligible, shortfall),
      indicator('GIV_AVAILABILITY', 'OK'),
      verification(result),
      ...answer.raised,
    ],
    ...present({ asked: answer.asked, partly: answer.partly?.length ? answer.partly : undefined }),
  };
};

/** The source did not answer: a failure is not a mismatch. */
export const unavailable = (eligible: Eligible | undefined): CheckResult => ({
  result: 'UNVERIFIED',
  raised: [
    ...(eligible ? [indicator('GIV_ELIGIBILITY', eligible.someCardsOnly ? 'WARNING' : 'OK')] : []),
    indicator('GIV_AVAILABILITY', 'FAILED'),
    verification('UNVERIFIED'),
  ],
});
