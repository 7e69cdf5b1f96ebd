import {
  type AddressRequest,
  type AttributesRequest,
  adjudicationDecided,
  type CaptureDetails,
  consentsChanged,
  contactChanged,
  type DataOf,
  type DocumentData,
  type DocumentText,
  type EvaluatedEvidence,
  type EventType,
  evidenceDeleted,
  evidenceEvaluated,
  evidenceSubmitted,
  type HealthCard,
  identityCreated,
  type Metadata,
  type Operation,
  type OriginLanguageData,
  operationRecorded,
  type UpgradePaths,
} from '@assay/contracts';

/** The opened parts of an event. Each is absent if the event had no such sealed part. */
export interface CreationDetails {
  businessId?: string;
  correlationId?: string;
  contact?: { email?: string; mobile?: string; landline?: string; language?: string; username?: string };
}
export interface Submission {
  captureDetails?: CaptureDetails;
  documentText?: DocumentText;
  healthCard?: HealthCard;
  attributes?: AttributesRequest;
  address?: AddressRequest;
  metadata?: Metadata[];
}
interface ReadDetails {
  data?: DocumentData;
  originLanguageData?: OriginLanguageData;
}
interface ContactValue {
  value: string;
  language?: string;
  system?: string;
}
interface Caller {
  ip?: string;
  userAgent?: string;
}

/** One event of the history as it is stored, with its sealed parts opened. */
export interface HistoryRecord {
  type: string;
  at: string;
  data: unknown;
  opened?: unknown;
}

export type Submitted = DataOf<typeof evidenceSubmitted> & { submission: Submission };
export type Contact = DataOf<typeof contactChanged> & { contact: ContactValue };
type Deleted = DataOf<typeof evidenceDeleted>;
export type ConsentsChange = DataOf<typeof consentsChanged> & { at: string };
type AdjudicationDecision = DataOf<typeof adjudicationDecided> & { comments: (string | undefined)[] };
export type Evaluation = DataOf<typeof evidenceEvaluated>;
export interface EvaluatedOnce {
  caseRevision: number;
  evidence: EvaluatedEvidence;
  read: ReadDetails;
  /** The upgrade paths of the identity after this evaluation. */
  upgradePaths?: UpgradePaths;
}

/** The history of one identity, by kind and in order; the order of arrival makes no difference. */
export interface History {
  created?: DataOf<typeof identityCreated> & { details: CreationDetails };
  submissions: Map<string, Submitted>;
  contacts: Map<string, Contact>;
  /** Operations whose effect on a contact was published. */
  contactOperations: Set<string>;
  deletions: Map<string, Deleted>;
  /** Evaluations of each evidence, oldest first. */
  evaluations: Map<string, EvaluatedOnce[]>;
  /** Evaluations of the whole identity, oldest first. */
  cases: Evaluation[];
  consentChanges: ConsentsChange[];
  /** Operations in the order in which they began. */
  operations: Operation[];
  callers: Caller[];
  decisions: AdjudicationDecision[];
}

const dataOf = <E extends EventType>(records: readonly HistoryRecord[], event: E) =>
  records
    .filter(({ type }) => type === event.type)
    .map(({ data, opened, at }) => ({ data: data as DataOf<E>, opened, at }));

const by =
  <T>(key: (item: T) => string | number) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;

/** The first of those with the same key: a republished evaluation is the same evaluation. */
const once = <T>(items: readonly T[], key: (item: T) => string | number): T[] => {
  const found = new Map<string | number, T>();
  for (const item of items) if (!found.has(key(item))) found.set(key(item), item);
  return [...found.values()];
};

/**
 * The upgrade paths of the evaluation that an entry is from. The entry of a republished evaluation
 * may be older than the identity's part beside it.
 */
const pathsBeside = ({ evaluationDateTime }: EvaluatedEvidence, { identity }: Evaluation) =>
  identity.evaluationDateTime === evaluationDateTime ? { upgradePaths: identity.upgradePaths } : {};

/** When the evaluation that a retrieval shows was made, by evidence. */
export type Shown = ReadonlyMap<string, string | undefined>;

/**
 * The evaluations of one evidence up to the one that is shown. After a restore the history may have
 * others of the same or a later revision, which were made since the backup: that work was done
 * again, and the gateway shows either of them.
 */
const upToShown = (evaluations: readonly EvaluatedOnce[], shown: string | undefined): EvaluatedOnce[] => {
  const isShown = ({ evidence }: EvaluatedOnce): boolean => evidence.evaluationDateTime === shown;
  const inOrder = evaluations.toSorted(by(({ caseRevision }) => caseRevision));
  const shownFirst = inOrder.toSorted(by((evaluation) => Number(!isShown(evaluation))));
  const revisions = once(shownFirst, ({ evidence }) => evidence.evidenceRevision);
  const sorted = revisions.sort(by(({ evidence }) => evidence.evidenceRevision));
  return sorted.some(isShown) ? sorted.slice(0, sorted.findLastIndex(isShown) + 1) : sorted;
};

const evaluationsOf = (records: readonly HistoryRecord[], shown: Shown): Map<string, EvaluatedOnce[]> => {
  const all = new Map<string, EvaluatedOnce[]>();
  for (const { data, opened } of dataOf(records, evidenceEvaluated))
    for (const evidence of data.evidences) {
      const read = (opened as Record<string, ReadDetails> | undefined)?.[evidence.evidenceId] ?? {};
      const before = all.get(evidence.evidenceId) ?? [];
      all.set(evidence.evidenceId, [
        ...before,
        { caseRevision: data.caseRevision, evidence, read, ...pathsBeside(evidence, data) },
      ]);
    }
  return new Map([...all].map(([evidenceId, list]) => [evidenceId, upToShown(list, shown.get(evidenceId))]));
};

const newestContacts = (records: readonly HistoryRecord[]): Map<string, Contact> => {
  const contacts = dataOf(records, contactChanged)
    .map(({ data, opened }) => ({ ...data, contact: opened as ContactValue }))
    .sort(by(({ contactRevision }) => contactRevision));
  return new Map(contacts.map((contact) => [contact.evidenceId, contact]));
};

/** The first event of each submission: a reissued one repeats it. */
const firstSubmissions = (records: readonly HistoryRecord[]): Map<string, Submitted> => {
  const all = dataOf(records, evidenceSubmitted).sort(by(({ data }) => Number(data.reissued ?? false)));
  const found = new Map<string, Submitted>();
  for (const { data, opened } of all)
    if (!found.has(data.evidenceId))
      found.set(data.evidenceId, { ...data, submission: (opened as Submission | undefined) ?? {} });
  return found;
};

/** Folds the events of one identity into its history. Order of arrival does not matter. */
export const gather = (records: readonly HistoryRecord[], shown: Shown = new Map()): History => {
  const [created] = dataOf(records, identityCreated);
  const operations = dataOf(records, operationRecorded).sort(
    by(({ data }) => `${data.rest.startDateTime}${data.operationId}`),
  );
  return {
    ...(created
      ? { created: { ...created.data, details: (created.opened as CreationDetails | undefined) ?? {} } }
      : {}),
    submissions: firstSubmissions(records),
    contacts: newestContacts(records),
    contactOperations: new Set(dataOf(records, contactChanged).flatMap(({ data }) => data.operationId ?? [])),
    deletions: new Map(dataOf(records, evidenceDeleted).map(({ data }) => [data.evidenceId, data])),
    evaluations: evaluationsOf(records, shown),
    cases: dataOf(records, evidenceEvaluated)
      .map(({ data }) => data)
      .sort(by(({ caseRevision }) => caseRevision)),
    consentChanges: dataOf(records, consentsChanged)
      .map(({ data, at }) => ({ ...data, at }))
      .sort(by(({ consentsRevision }) => consentsRevision)),
    operations: operations.map(({ data }) => data),
    callers: operations.flatMap(({ opened }) => (opened ? [opened as Caller] : [])),
    decisions: dataOf(records, adjudicationDecided).map(({ data, opened }) => ({
      ...data,
      comments: (opened as (string | undefined)[] | undefined) ?? [],
    })),
  };
};

/** The newest evaluation of an evidence that the given case revision includes. */
export const evaluationAt = (history: History, evidenceId: string, caseRevision: number): EvaluatedOnce | undefined =>
  history.evaluations.get(evidenceId)?.findLast((evaluation) => evaluation.caseRevision <= caseRevision);

/** Every evidence in the history. A contact is one once its one-time code was confirmed. */
export const knownEvidence = ({ submissions, contacts, evaluations }: History): Set<string> => {
  const verified = [...contacts.values()].filter((contact) => contact.verified);
  return new Set([...submissions.keys(), ...verified.map(({ evidenceId }) => evidenceId), ...evaluations.keys()]);
};
