import type { Envelope } from '@assay/contracts';
import { type Outbox, TooManyConflicts, takingTurns } from '@assay/mongo';
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
   * reports it (invariants 2, 3 and 6). Without effect once the identity is closed. It begins with
   * the case as the caller knows it (`known`), or as this process left it: what comes of that is
   * written only if the case is still so, and is else decided again on what is stored. `keyless`:
   * nothing is opened or compared; asking for the key may be what the work failed for.
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

const ATTEMPTS = 12;

/**
 * Messages of one case are handled one after another: together they would only undo each other's
 * work, and with it use up their attempts and the time of other cases.
 */
const inTurn = (change: CaseChanger['change']): CaseChanger['change'] => {
  const inItsTurn = takingTurns();
  return (message, update, how) => inItsTurn(message.identityId, () => change(message, update, how));
};

export const createCaseChanger = (deps: Deps): CaseChanger => {
  const { cases, outbox, keyring, log } = deps;
  const compareCase = createCompareCase(deps);
  const evaluateChange = createEvaluateChange(deps);

  const change: CaseChanger['change'] = async (message, update, { keyless = false, known } = {}) => {
    const { id, tenantId, identityId } = message;
    let sealer: Sealer | undefined;
    const found: FacesFound = { described: new Map(), comparisons: [] };
    const isOver = ({ closed, tenantId: owner, inbox }: CaseDocument): boolean =>
      closed === true || owner !== tenantId || inbox.includes(id);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const left = attempt === 0 ? (known ?? cases.recent(identityId)) : undefined;
      const before = left ?? (await cases.open(identityId, tenantId));
      const isTaken = !isOver(before);
      // A case without evidences has nothing to open or to compare.
      if (isTaken && !keyless && before.evidences.length > 0) {
        sealer ??= await openSealer(keyring, message);
        if (!sealer) return;
      }
      const updated = isTaken ? update(before, sealer) : undefined;
      if (!updated && left) continue;
      if (!updated) return;
      const compared = await compareCase(updated.after, message, sealer, found);
      const dated = datedCase(compared, openData(sealer), deps.now());
      const { publication, events, at } = evaluateChange(before, dated, message, updated.publishAnyway);
      const toSend = [...events, ...(updated.events ?? [])];
      if (await cases.write(before, publication.caseAfter, id, toSend)) {
        if (toSend.length > 0) void outbox.publishNow(identityId, toSend);
        observeStable(log, dated.current, publication, at);
        return;
      }
    }
    throw new TooManyConflicts('the case changed under every attempt');
  };

  return {
    change: inTurn(change),
    publish: async (message, events) => {
      const current = await cases.find(message.identityId);
      const toSend = current && !current.closed && !current.inbox.includes(message.id) ? events(current) : [];
      if (toSend.length === 0) return;
      await cases.addEvents(message.identityId, message.id, toSend);
      void outbox.publishNow(message.identityId, toSend);
    },
  };
};
