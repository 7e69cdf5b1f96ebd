import type { Consent } from '@assay/contracts';
import type { Ledger } from './client/ledger.ts';
import type { Outsiders } from './suite/outsiders.ts';
import type { Stage } from './suite/stage.ts';

/** What the invariants look at. */
export interface Suspect {
  stage: Stage;
  ledger: Ledger;
  outsiders: Outsiders;
  /** Two operators have to accept. */
  fourEyes: boolean;
  /**
   * When the issuing source adapter learned that an evidence was deleted, or that the consent to it
   * was withdrawn.
   */
  heardAt: Map<string, number>;
  /**
   * Since when the worker knows that the faces of an identity may not be compared, and how many
   * comparisons it had at the last look.
   */
  barred: Map<string, { since: number; comparisons: number }>;
}

interface Shown {
  _id: string;
  consents?: Consent[];
  state: string;
  evidences: { evidenceId: string; status: string; type: string; positiveIndicators?: string[] }[];
  contacts?: { verified: boolean }[];
}

/** What the gateway shows of an identity. */
export const shownIdentity = ({ store }: Stage, identityId: string): Shown | undefined =>
  store.collection('gateway', 'identities').matching({ _id: identityId })[0] as Shown | undefined;

export const shownEvidence = (stage: Stage, identityId: string, evidenceId: string) =>
  shownIdentity(stage, identityId)?.evidences.find((one) => one.evidenceId === evidenceId);

/** Accepted and not deleted: these evidences must end and be announced. */
export const notDeleted = ({ ledger }: Suspect) =>
  ledger.accepted.filter(
    ({ identityId, evidenceId }) => !ledger.ended.has(identityId) && !ledger.deleted.has(evidenceId),
  );
