import { present } from '@assay/contracts';
import { compareStatements } from '../domain/agreement.ts';
import type { Case, CaseEvidence, VerifiedViews } from '../domain/case.ts';
import { comparedPerson } from '../domain/compared-person.ts';
import { withoutIssuer } from '../domain/confirmed-data.ts';
import { type EvidenceData, shownOf } from '../domain/evidence-data.ts';
import { type Agreement, agreementOf, type FaceComparison } from '../domain/facts.ts';
import { isConfirmation } from '../domain/set-aside.ts';
import { compareStatement } from '../domain/statement.ts';
import type { CompareFaces } from './compare-faces.ts';
import type { DescribedFaces, DescribeFaces } from './describe-faces.ts';
import type { Message } from './evaluate-change.ts';
import type { Sealer } from './sealer.ts';

const isStatement = ({ kind }: CaseEvidence): boolean => kind === 'attributes' || kind === 'address';

interface Readable {
  evidence: CaseEvidence;
  data: EvidenceData;
}

const withView = <V extends VerifiedViews>(views: V, documentId: string, view: string): V => ({
  ...views,
  agreed: { ...views.agreed, [documentId]: view },
});

/**
 * A statement with the view that a document confirms, sealed: it can be published later without a
 * key. `without`: the view while the confirmation of the document's issuer is set aside.
 */
const withAgreed = (
  { sealed, ...one }: CaseEvidence,
  documentId: string,
  view: string,
  without: string | undefined,
): CaseEvidence => ({
  ...one,
  sealed: {
    ...withView(sealed, documentId, view),
    ...(without && { withoutIssuer: withView(sealed.withoutIssuer ?? {}, documentId, without) }),
  },
});

/**
 * What two evidences state of the person, and, where one is a statement and the other a document,
 * what of it is confirmed.
 */
const compareTwo = (current: Case, one: Readable, other: Readable, sealer: Sealer): Case => {
  const [a, b] = [comparedPerson(one.data), comparedPerson(other.data)];
  if (!a || !b) return current;
  const agreement = compareStatements(
    { evidenceId: one.evidence.evidenceId, person: a.person },
    { evidenceId: other.evidence.evidenceId, person: b.person },
  );
  const agreements = (more: Partial<Agreement> = {}) => [...current.agreements, { ...agreement, ...more }];
  if (isStatement(one.evidence) === isStatement(other.evidence)) return { ...current, agreements: agreements() };
  const [stated, document, reference] = isStatement(one.evidence) ? [one, other, b] : [other, one, a];
  const { evidenceId } = document.evidence;
  const left = document.evidence.participants.some(isConfirmation) && comparedPerson(withoutIssuer(document.data));
  const whole = compareStatement(stated.data, reference);
  const without = left ? compareStatement(stated.data, left) : undefined;
  const view = ({ data }: typeof whole) => sealer.seal('evidence-data', shownOf(data));
  const [agreed, agreedWithout] = [view(whole), without && view(without)];
  return {
    ...current,
    evidences: current.evidences.map((evidence) =>
      evidence.evidenceId === stated.evidence.evidenceId
        ? withAgreed(evidence, evidenceId, agreed, agreedWithout)
        : evidence,
    ),
    agreements: agreements({
      statement: whole.statement,
      ...present({ statementWithoutIssuer: without?.statement }),
    }),
  };
};

/** Compares what the evidences state of the person, each two once. */
const withAgreements = (current: Case, sealer: Sealer): Case => {
  const sealed = current.evidences.filter((one) => one.sealed.data);
  const isKnown = (one: CaseEvidence, other: CaseEvidence) =>
    agreementOf(current, one.evidenceId, other.evidenceId) !== undefined;
  const pairs = sealed.flatMap((one, at) =>
    sealed
      .slice(at + 1)
      .filter((other) => !isKnown(one, other))
      .map((other) => [one, other] as const),
  );
  const opened = new Map<string, Readable>();
  const open = (evidence: CaseEvidence): Readable => {
    const { evidenceId } = evidence;
    const known = opened.get(evidenceId) ?? {
      evidence,
      data: sealer.open<EvidenceData>('evidence-data', evidence.sealed.data!),
    };
    opened.set(evidenceId, known);
    return known;
  };
  return pairs.reduce((next, [one, other]) => compareTwo(next, open(one), open(other), sealer), current);
};

const isKnown = ({ comparisons }: Case, { portraitId, referenceId }: FaceComparison): boolean =>
  comparisons.some((one) => one.portraitId === portraitId && one.referenceId === referenceId);

/** What attempts at one message found of faces: it is not looked for again. */
export interface FacesFound {
  described: DescribedFaces;
  comparisons: FaceComparison[];
}

/** Compares the faces and the statements of a case that were not compared yet. */
export const createCompareCase =
  ({ describeFaces, compareFaces }: { describeFaces: DescribeFaces; compareFaces: CompareFaces }) =>
  async (current: Case, message: Message, sealer: Sealer | undefined, found: FacesFound): Promise<Case> => {
    if (!sealer) return current;
    const described = await describeFaces(current, message, sealer, found.described);
    const isPresent = (evidenceId: string) => current.evidences.some((one) => one.evidenceId === evidenceId);
    const stillCompared = found.comparisons.filter(
      (one) => isPresent(one.portraitId) && isPresent(one.referenceId) && !isKnown(current, one),
    );
    const known = { ...described, comparisons: [...current.comparisons, ...stillCompared] };
    const fresh = await compareFaces(known, sealer);
    found.comparisons.push(...fresh);
    return withAgreements({ ...known, comparisons: [...known.comparisons, ...fresh] }, sealer);
  };
