import type { Ledger } from './client/ledger.ts';

type Sent = Ledger['decisions'][number];

const operatorsOf = (all: readonly Sent[], decision: Sent['decision']): Set<number> =>
  new Set(all.filter((one) => one.decision === decision).map(({ operator }) => operator));

/**
 * Why an evidence that operators decide on may not have this status. VERIFIED requires that enough
 * operators sent ACCEPT, and that no answered decision was REJECT. When enough answered decisions
 * are ACCEPT, and no REJECT was sent, VERIFIED must follow.
 */
export const misjudged = (
  { adjudicated, decisions }: Pick<Ledger, 'adjudicated' | 'decisions'>,
  evidenceId: string,
  { status, fourEyes }: { status: string; fourEyes: boolean },
): string[] => {
  if (!adjudicated.has(evidenceId)) return [];
  const sent = decisions.filter((one) => one.evidenceId === evidenceId);
  const answered = sent.filter(({ isAnswered }) => isAnswered);
  const wanted = fourEyes ? 2 : 1;
  if (status === 'VERIFIED') {
    if (operatorsOf(sent, 'ACCEPT').size < wanted) return [`evidence ${evidenceId} is VERIFIED, not accepted`];
    if (operatorsOf(answered, 'REJECT').size > 0) return [`evidence ${evidenceId} is VERIFIED, and was rejected`];
    return [];
  }
  if (status === 'NOT_VERIFIED') return [`evidence ${evidenceId} is NOT_VERIFIED, whatever operators decide`];
  const isAccepted = operatorsOf(answered, 'ACCEPT').size >= wanted && operatorsOf(sent, 'REJECT').size === 0;
  return isAccepted && status !== 'PROCESSING' && status !== 'ADJUDICATION'
    ? [`evidence ${evidenceId} is ${status}, and was accepted`]
    : [];
};
