import type { Envelope } from '@assay/contracts';
import { type Outbox, oneAtATime, TooManyConflicts } from '@assay/mongo';
import type { Policies } from '@assay/policy';
import type { Clock, Log } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import type { Case } from '../domain/case.ts';
import type { EvidenceData } from '../domain/evidence-data.ts';
import { datedCase } from '../domain/lapse.ts';
import type { CaseDocument, CaseStore } from '../store/cases.ts';
import { createCompareCase, type FacesFound } from './compare-case.ts';
import type { CompareFaces } from './compare-faces.ts';
import type { DescribeFaces } from './describe-faces.ts';
import { createEvaluateChange, type Message, observeStable } from './evaluate-change.ts';
import { openSealer, type Sealer } from './sealer.ts';

export interface Deps {
  cases: CaseStore;
  outbox: Pick<Outbox, 'publishNow'>;
  keyring: Keyring;
  policies: Policies;
  describeFaces: DescribeFaces;
  compareFaces: CompareFaces;
  now: Clock;
  log: Log;
}

/** What a message makes of a case: the case after it, and further events to send with it. */
interface CaseUpdate {
  after: Case;
  events?: Envelope<unknown>[];
  /** Published even where the evaluation changes nothing. */
  publishAnyway?: boolean;
}
/** Undefined where a message has no effect. */
export type UpdateCase = (before: CaseDocument, sealer: Sealer | undefined) => CaseUpdate | undefined;

export interface CaseChanger {
  /**
   * Applies a message to its case and evaluates it: one write of the case and of every event that
   * reports it (invariants 2, 3 and 6). Without effect once the identity is closed. The first
   * attempt is made on the case as the caller read it (`known`) or as this process last wrote it,
   * which saves a read; if that is out of date, the change is decided again on the stored case.
   * `keyless`: nothing is opened or compared, because asking for the key may be what failed.
   */
  change(message: Message, update: UpdateCase, how?: { keyless?: true; known?: CaseDocument }): Promise<void>;
  /** Sends events of a case that itself does not change. */
  publish(message: Message, events: (caseDocument: CaseDocument) => Envelope<unknown>[]): Promise<void>;
}

/**
 * An identity is evaluated under a policy from now on; published also where nothing changes, so
 * that every reader knows the version in force.
 */
export const reevaluateUnder =
  ({ name, version }: { name: string; version: string }): UpdateCase =>
  (before) => ({ after: { ...before, reevaluatedUnder: { name, version } }, publishAnyway: true });

const openData = (sealer: Sealer | undefined) =>
  sealer && ((sealed: string) => sealer.open<EvidenceData>('evidence-data', sealed));

const MOST_ATTEMPTS = 12;

/** How one attempt to apply a message ended; CONFLICT: another write came in between. */
type Attempt = 'WRITTEN' | 'NO_EFFECT' | 'IDENTITY_CLOSED' | 'CONFLICT';

/**
 * Messages of one case are handled one after another: together they would only undo each other's
 * work, and with it use up their attempts and the time of other cases.
 */
const oneMessageAtATime = (change: CaseChanger['change']): CaseChanger['change'] => {
  const oneByOne = oneAtATime();
  return (message, update, how) => oneByOne(message.identityId, () => change(message, update, how));
};

export const createCaseChanger = (deps: Deps): CaseChanger => {
  const { cases, outbox, keyring, log } = deps;
  const compareCase = createCompareCase(deps);
  const evaluateChange = createEvaluateChange(deps);

  const change: CaseChanger['change'] = async (message, update, { keyless = false, known } = {}) => {
    const { id, tenantId, identityId } = message;
    // Found once for all attempts.
    let sealer: Sealer | undefined;
    const faces: FacesFound = { described: new Map(), comparisons: [] };

    const attemptOn = async (before: CaseDocument): Promise<Attempt> => {
      if (before.closed || before.tenantId !== tenantId || before.inbox.includes(id)) return 'NO_EFFECT';
      // A case without evidences has nothing to open or to compare.
      if (!keyless && before.evidences.length > 0) {
        sealer ??= await openSealer(keyring, message);
        if (!sealer) return 'IDENTITY_CLOSED';
      }
      const updated = update(before, sealer);
      if (!updated) return 'NO_EFFECT';
      const compared = await compareCase(updated.after, message, sealer, faces);
      const dated = datedCase(compared, openData(sealer), deps.now());
      const { publication, events, at } = evaluateChange(before, dated, message, updated.publishAnyway);
      const toSend = [...events, ...(updated.events ?? [])];
      if (!(await cases.write(before, publication.caseAfter, id, toSend))) return 'CONFLICT';
      if (toSend.length > 0) void outbox.publishNow(identityId, toSend);
      observeStable(log, dated.current, publication, at);
      return 'WRITTEN';
    };

    const remembered = known ?? cases.recent(identityId);
    const first = remembered && (await attemptOn(remembered));
    if (first === 'WRITTEN' || first === 'IDENTITY_CLOSED') return;
    for (let attempts = remembered ? 1 : 0; attempts < MOST_ATTEMPTS; attempts += 1)
      if ((await attemptOn(await cases.open(identityId, tenantId))) !== 'CONFLICT') return;
    throw new TooManyConflicts('the case changed under every attempt');
  };

  return {
    change: oneMessageAtATime(change),
    publish: async (message, events) => {
      const current = await cases.find(message.identityId);
      const toSend = current && !current.closed && !current.inbox.includes(message.id) ? events(current) : [];
      if (toSend.length === 0) return;
      await cases.addEvents(message.identityId, message.id, toSend);
      void outbox.publishNow(message.identityId, toSend);
    },
  };
};
