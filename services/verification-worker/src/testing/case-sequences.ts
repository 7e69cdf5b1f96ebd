import {
  adjudicationDecided,
  type adjudicationRequested,
  type adjudicationWithdrawn,
  consentsChanged,
  type DataOf,
  type Envelope,
  type EventType,
  evidenceDeleted,
  type evidenceEvaluated,
  issuingCheckCompleted,
  todayAt,
} from '@assay/contracts';
import { type EntryOptions, outboxEntry } from '@assay/mongo';
import { shippedPolicies } from '@assay/policy';
import { type Keyring, newDataKey, sealingContext, sealJson } from '@assay/sealing';
import { quietLog } from '@assay/testing';
import { onAdjudicationDecided } from '../consumers/adjudication-decided.ts';
import { onConsentsChanged } from '../consumers/consents-changed.ts';
import { onEvidenceDeleted } from '../consumers/evidence-deleted.ts';
import { endEvidence } from '../consumers/evidence-submitted.ts';
import { onIssuingCheckCompleted } from '../consumers/issuing-check-completed.ts';
import { type Case, type CaseEvidence, withEvidence } from '../domain/case.ts';
import { mayBeCompared } from '../domain/consents.ts';
import { type EvidenceFacts, noFacts } from '../domain/facts.ts';
import type { StatedPerson } from '../domain/stated-person.ts';
import { createCaseChanger, reevaluateUnder } from '../flows/change-case.ts';
import type { CaseDocument, CaseStore } from '../store/cases.ts';
import { AT, compared } from './case-builders.ts';

/**
 * A case as the worker stores it, with a store in memory and invented faces and people, for
 * properties over any sequence of messages.
 */

const tenantId = 'tenant-0000000000000001';
const identityId = 'identity-0000000000000001';
const dataKey = newDataKey();
/** These sequences do not test the wrapping of keys. */
const keyring: Keyring = {
  keyOf: async () => dataKey,
  hold: async () => ({ key: dataKey, holdMs: 60_000 }),
  made: () => undefined,
  forget: () => undefined,
};
const policies = shippedPolicies();
const at = new Date(`${AT}Z`);

const PEOPLE: (StatedPerson | undefined)[] = [
  { surname: 'SPECIMEN', givenNames: ['BARRY'], dateOfBirth: '1974-08-12' },
  { surname: 'SPECIMEN', givenNames: ['BARRY', 'HENRY'], dateOfBirth: '1974-08-12' },
  { surname: 'SOMEBODY', givenNames: ['ELSE'], dateOfBirth: '1990-01-02' },
  undefined,
];
/**
 * Fields with values as a document has them (confirmed) and as attributes have them (stated). The
 * evidence decides which are used.
 */
const confirmed = ['surname', 'givenName', 'middleName', 'dateOfBirth'];
const statedBy = (person: StatedPerson) => ({
  person,
  attributesData: {
    surname: { value: person.surname, verified: false },
    givenNames: person.givenNames?.map((value) => ({ value, verified: false })),
    dateOfBirth: { value: person.dateOfBirth, verified: false },
  },
});
const SEALED = PEOPLE.map((person) =>
  person
    ? sealJson(dataKey, sealingContext(tenantId, identityId, 'evidence-data'), { ...statedBy(person), confirmed })
    : undefined,
);
export const PERSONS = PEOPLE.length;

/** A message to a case. The same message again has the same id. */
export type Step =
  | { id: string; kind: 'submit'; evidence: EvidenceFacts; person: number }
  | { id: string; kind: 'delete'; evidenceId: string }
  | { id: string; kind: 'answer'; evidenceId: string; result: 'VERIFIED' | 'FAILED' | 'UNVERIFIED' }
  | { id: string; kind: 'consents'; data: DataOf<typeof consentsChanged> }
  | { id: string; kind: 'give-up'; evidence: EvidenceFacts }
  | { id: string; kind: 'policy'; name: string };

const checkOf = (evidenceId: string): string => `check-of-${evidenceId}-000000`;

const event = <E extends EventType>(type: E, id: string, data: EntryOptions<E>['data']): Envelope<DataOf<E>> =>
  outboxEntry(type, { id, tenantId, identityId, at, data });

const memoryStore = (): CaseStore & { present: () => CaseDocument; sent: Envelope<unknown>[] } => {
  const fresh = { _id: identityId, tenantId, revision: 0, ...noFacts(), evidences: [], deleted: [], inbox: [] };
  let present: CaseDocument = fresh;
  const sent: Envelope<unknown>[] = [];
  return {
    present: () => present,
    sent,
    find: async () => present,
    recent: () => undefined,
    open: async () => present,
    write: async (before, after: Case, messageId, events) => {
      if (before.revision !== present.revision) return false;
      present = { ...present, ...after, revision: before.revision + 1, inbox: [...present.inbox, messageId] };
      sent.push(...events);
      return true;
    },
    addEvents: async () => undefined,
    due: async () => [],
    close: async () => undefined,
  };
};

export type Evaluated = DataOf<typeof evidenceEvaluated>;

/** `distanceOf` returns the distance between two faces, in either order. */
export const startCase = (distanceOf: (portraitId: string, referenceId: string) => number) => {
  const cases = memoryStore();
  const changer = createCaseChanger({
    cases,
    outbox: { publishNow: async () => undefined },
    keyring,
    policies,
    now: () => at,
    log: quietLog,
    describeFaces: async (current) => current,
    compareFaces: async (current) => {
      const known = (a: string, b: string) =>
        current.comparisons.some((one) => one.portraitId === a && one.referenceId === b);
      const references = current.evidences.filter(({ kind, face }) => face && kind !== 'portrait');
      return current.evidences
        .filter((one) => one.kind === 'portrait' && mayBeCompared(one, current.consents, todayAt(at)))
        .flatMap(({ evidenceId: a }) =>
          references
            .filter(({ evidenceId: b }) => !known(a, b))
            .map(({ evidenceId: b }) => compared(a, b, distanceOf(a, b))),
        );
    },
  });
  const deps = { changer };
  const submit = ({ id, evidence, person }: Extract<Step, { kind: 'submit' }>) => {
    const data = SEALED[person];
    const whole: CaseEvidence = {
      ...evidence,
      checkId: checkOf(evidence.evidenceId),
      sealed: data ? { data } : {},
      crops: [],
      media: [],
    };
    return changer.change({ id, tenantId, identityId }, (before) => {
      const after = withEvidence(before, whole);
      return after && { after };
    });
  };
  const answer = ({ id, evidenceId, result }: Extract<Step, { kind: 'answer' }>) =>
    onIssuingCheckCompleted(deps)(
      event(issuingCheckCompleted, id, {
        checkId: checkOf(evidenceId),
        evidenceId,
        result,
        raisedIndicators: [`GIV_VERIFICATION_${result}`],
        services: [],
        startDateTime: AT,
        endDateTime: AT,
        late: false,
      }),
    );
  const giveUp = ({ id, evidence }: Extract<Step, { kind: 'give-up' }>) => {
    const { evidenceId, type, submitDateTime, settings, consents, kind } = evidence;
    const operation = kind === 'documentText' ? ('ID_DOCUMENT' as const) : ('ID_DOCUMENT_CAPTURE' as const);
    const data = { evidenceId, type, operation, submitDateTime, settings, consents, media: [], sealedSubmission: '' };
    return endEvidence(deps)(
      { id, type: 'evidence.submitted', at: AT, tenantId, identityId, data },
      'PROCESSING_FAILED',
    );
  };

  const decided = new Set<string>();
  const dataOf = <E extends EventType>(type: E['type']): DataOf<E>[] =>
    cases.sent.filter((one) => one.type === type).map(({ data }) => data as DataOf<E>);

  return {
    present: cases.present,
    /** The evidences of all open cases, once for each case. */
    openCases: (): string[] => {
      const withdrawn = dataOf<typeof adjudicationWithdrawn>('adjudication.withdrawn').map(({ caseId }) => caseId);
      const open = dataOf<typeof adjudicationRequested>('adjudication.requested').filter(
        ({ caseId }) => !withdrawn.includes(caseId) && !decided.has(caseId),
      );
      return [...new Map(open.map(({ caseId, evidenceId }) => [caseId, evidenceId])).values()];
    },
    withdrawn: () => dataOf<typeof adjudicationWithdrawn>('adjudication.withdrawn'),
    evaluations: (): Evaluated[] =>
      cases.sent.filter(({ type }) => type === 'evidence.evaluated').map(({ data }) => data as Evaluated),
    asked: () =>
      cases.sent
        .filter(({ type }) => type === 'adjudication.requested')
        .map(({ data }) => data as DataOf<typeof adjudicationRequested>),
    take: (step: Step): Promise<void> => {
      switch (step.kind) {
        case 'submit':
          return submit(step);
        case 'delete':
          return onEvidenceDeleted(deps)(event(evidenceDeleted, step.id, { evidenceId: step.evidenceId } as never));
        case 'answer':
          return answer(step);
        case 'consents':
          return onConsentsChanged(deps)(event(consentsChanged, step.id, step.data));
        case 'give-up':
          return giveUp(step);
        case 'policy':
          return changer.change({ id: step.id, tenantId, identityId }, reevaluateUnder(policies.named(step.name)!));
      }
    },
    decide: (
      caseId: string,
      evidenceId: string,
      decision: 'ACCEPT' | 'REJECT' | 'EXPIRED',
      reasons = ['PAPER_COPY'],
    ) => {
      decided.add(caseId);
      return onAdjudicationDecided(deps)(
        event(adjudicationDecided, `decision-on-${caseId}`, {
          caseId,
          evidenceId,
          decision,
          reasons: decision === 'REJECT' ? reasons : [],
          decidedAt: AT,
          details: [],
        }),
      );
    },
  };
};
