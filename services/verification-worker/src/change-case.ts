import {
  adjudicationRequested,
  dateOf,
  type Envelope,
  type EventType,
  evidenceEvaluated,
  formatDateTime,
} from '@assay/contracts';
import { type EntryOptions, type Outbox, outboxEntry, TooManyConflicts } from '@assay/mongo';
import type { Policies, Policy } from '@assay/policy';
import { type Clock, histogram, type Log, newId } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import type { CompareFaces } from './compare-faces.ts';
import { requestAdjudications } from './domain/adjudication.ts';
import { compareStatements, type StatedPerson } from './domain/agreement.ts';
import { announce, isStable } from './domain/announce.ts';
import { type Case, factsOf, policyOf } from './domain/case.ts';
import { evaluateCase } from './domain/evaluate-case.ts';
import type { EvidenceData } from './domain/evidence-data.ts';
import type { FaceComparison } from './domain/facts.ts';
import type { CaseDocument, CaseStore } from './store/cases.ts';
import { openVault, type Vault } from './vault.ts';

export interface CaseParts {
  cases: CaseStore;
  outbox: Pick<Outbox, 'publishNow'>;
  keyring: Keyring;
  policies: Policies;
  compareFaces: CompareFaces;
  now: Clock;
  log: Log;
}

/** What a message makes of a case: the case after it, and further events to send with it; undefined when it has no effect. */
export interface Change {
  after: Case;
  events?: Envelope<unknown>[];
  /** Told even where the evaluation says nothing new. */
  tellAnyway?: boolean;
}
export type Decide = (before: CaseDocument, vault: Vault | undefined) => Change | undefined;

export interface CaseChanger {
  /** Applies a message to its case and evaluates it: one write of the case and everything that tells of it (invariants 2, 3 and 6). */
  change(message: Message, decide: Decide): Promise<void>;
  /** Sends events of a case that itself does not change. */
  tell(message: Message, events: (of: CaseDocument) => Envelope<unknown>[]): Promise<void>;
}

export type Message = Pick<Envelope<unknown>, 'id' | 'tenantId' | 'identityId' | 'key' | 'traceparent'>;

/** An identity is judged under a policy from now on; told also where nothing changes, so that every reader knows the version in force. */
export const judgeUnder =
  ({ name, version }: { name: string; version: string }): Decide =>
  (before) => ({ after: { ...before, judgedUnder: { name, version } }, tellAnyway: true });

const ATTEMPTS = 12;

const stableSeconds = histogram(
  'assay_evidence_stable_seconds',
  'Seconds from the submission of an evidence to its first stable status',
  ['type'],
  [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60],
);

/** An event of the case of a message. */
export const eventOf = <E extends EventType>(
  event: E,
  { tenantId, identityId, key, traceparent }: Message,
  at: Date,
  data: EntryOptions<E>['data'],
): Envelope<unknown> => outboxEntry(event, { tenantId, identityId, key, at, data, traceparent });

/** Compares what the evidences state of the person, each two once. */
const withAgreements = (of: Case, vault: Vault): Case => {
  const readable = of.evidences.filter(({ sealed }) => sealed.data);
  const people = readable.flatMap(({ evidenceId, sealed }) => {
    const known = (other: string) =>
      of.agreements.some(({ a, b }) => (a === evidenceId && b === other) || (b === evidenceId && a === other));
    const open = readable.some((other) => other.evidenceId !== evidenceId && !known(other.evidenceId));
    const person: StatedPerson | undefined = open
      ? vault.open<EvidenceData>('evidence-data', sealed.data!).person
      : undefined;
    return person ? [{ evidenceId, person, known }] : [];
  });
  const fresh = people.flatMap((one, at) =>
    people
      .slice(at + 1)
      .filter((other) => !one.known(other.evidenceId))
      .map((other) => compareStatements(one, other)),
  );
  return fresh.length > 0 ? { ...of, agreements: [...of.agreements, ...fresh] } : of;
};

const isKnown = ({ comparisons }: Case, { portraitId, referenceId }: FaceComparison): boolean =>
  comparisons.some((one) => one.portraitId === portraitId && one.referenceId === referenceId);

export const createCaseChanger = (parts: CaseParts): CaseChanger => {
  const { cases, outbox, keyring, policies, compareFaces, now, log } = parts;

  const policyFor = (of: Case): Policy => {
    const { name, version } = policyOf(of);
    return policies.named(name, version) ?? policies.named('default')!;
  };

  /** `found`: comparisons of earlier attempts at the same message, which are not made again. */
  const compared = async (of: Case, vault: Vault | undefined, found: FaceComparison[]): Promise<Case> => {
    if (!vault) return of;
    const there = (evidenceId: string) => of.evidences.some((one) => one.evidenceId === evidenceId);
    const kept = found.filter((one) => there(one.portraitId) && there(one.referenceId) && !isKnown(of, one));
    const known = { ...of, comparisons: [...of.comparisons, ...kept] };
    const fresh = await compareFaces(known, vault);
    found.push(...fresh);
    return withAgreements({ ...known, comparisons: [...known.comparisons, ...fresh] }, vault);
  };

  const evaluated = (before: CaseDocument, of: Case, message: Message, tellAnyway = false) => {
    const at = now();
    const policy = policyFor(of);
    const former = new Map(
      of.evidences.flatMap(({ evidenceId, told }) => {
        const { parent: referenceId } = told?.proof ?? {};
        return told ? [[evidenceId, { status: told.status, ...(referenceId ? { referenceId } : {}) }]] : [];
      }),
    );
    const question = { facts: factsOf(of), policy, settings: of.createdUnder, today: dateOf(at), former };
    const evaluation = evaluateCase(question);
    const { after: asked, requests } = requestAdjudications(of, evaluation, { at, newId });
    const told = announce(
      asked,
      requests.length > 0 ? evaluateCase({ ...question, facts: factsOf(asked) }) : evaluation,
      policy,
      formatDateTime(at),
    );
    const events = [
      ...(told.isNews || tellAnyway
        ? [
            eventOf(evidenceEvaluated, message, at, {
              caseRevision: before.revision + 1,
              policy: { name: policy.name, version: policy.version },
              evidences: told.entries,
              identity: told.identity,
            }),
          ]
        : []),
      ...requests.map((request) => eventOf(adjudicationRequested, message, at, request)),
    ];
    return { told, events, at };
  };

  const observe = (of: Case, told: ReturnType<typeof announce>, at: Date): void => {
    for (const { evidenceId, status, type, changed } of told.entries) {
      const evidence = of.evidences.find((one) => one.evidenceId === evidenceId)!;
      const first = evidence.told === undefined || !isStable(evidence.told.status);
      if (!changed || !first || !isStable(status)) continue;
      const seconds = (at.getTime() - Date.parse(`${evidence.submitDateTime}Z`)) / 1000;
      stableSeconds.observe({ type }, seconds);
      log.info({ msg: 'evidence.stable', identityId: of._id, evidenceId, type, status, seconds });
    }
  };

  const change = async (message: Message, decide: Decide): Promise<void> => {
    const { id, tenantId, identityId } = message;
    const vault = await openVault(keyring, message);
    const found: FaceComparison[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = await cases.open(identityId, tenantId);
      if (before.closed || before.tenantId !== tenantId || before.inbox.includes(id)) return;
      const decided = decide(before, vault);
      if (!decided) return;
      const of = await compared(decided.after, vault, found);
      const { told, events, at } = evaluated(before, of, message, decided.tellAnyway);
      const toSend = [...events, ...(decided.events ?? [])];
      if (await cases.write(before, told.after, id, toSend)) {
        if (toSend.length > 0) void outbox.publishNow(identityId, toSend);
        observe(of, told, at);
        return;
      }
    }
    throw new TooManyConflicts('the case changed under every attempt');
  };

  return {
    change,
    tell: async (message, events) => {
      const of = await cases.find(message.identityId);
      const toSend = of && !of.closed && !of.inbox.includes(message.id) ? events(of) : [];
      if (toSend.length === 0) return;
      await cases.tell(message.identityId, message.id, toSend);
      void outbox.publishNow(message.identityId, toSend);
    },
  };
};
