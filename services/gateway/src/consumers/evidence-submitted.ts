import { setTimeout as pause } from 'node:timers/promises';
import { RetryLater } from '@assay/bus';
import type { DataOf, Envelope, evidenceSubmitted } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import type { ChangeResult } from '../domain/change.ts';
import type { Identity } from '../domain/identity.ts';
import { takeInLate } from '../domain/retrieval.ts';
import { isReserved, whyNotReadable } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import { ofKnownIdentity } from './known-identity.ts';

type Event = Envelope<DataOf<typeof evidenceSubmitted>>;
/** What must end before the evidence is added: the request that submits it, or a download. */
type Obstacle = 'REQUEST' | 'PROOF';

/** Pauses while the request that submitted the evidence still runs, in milliseconds. */
const PAUSES_MS = [50, 100, 350];

/**
 * evidence.submitted: adds the evidence to the read model if the request that submitted it died
 * before it did, and lets a live capture session that has ended replace the former portrait. A
 * request that still runs is waited for: two changes at once would cost a second read and write.
 * A proof that is being built is given up. To one that is built nothing is added: it ends the
 * identity.
 */
export const onEvidenceSubmitted = ({ identities, now }: { identities: Identities; now: Clock }) => {
  /** Adds the evidence, or returns why it was not added. */
  const tryToAdd = async (
    { identityId, data }: Event,
    { waitForRequest }: { waitForRequest: boolean },
  ): Promise<Obstacle | undefined> => {
    const at = now();
    let obstacle: Obstacle | undefined;
    const decide = (identity: Identity): ChangeResult => {
      obstacle = waitForRequest && isReserved(identity, data.evidenceId, at) ? 'REQUEST' : undefined;
      if (obstacle || whyNotReadable(identity)) return undefined;
      const change = takeInLate(identity, data, at);
      if (change && identity.proof?.built) obstacle = 'PROOF';
      return obstacle ? undefined : change;
    };
    // An evidence that was added or deleted, and an identity that was closed, stay so.
    await ofKnownIdentity(identities.change(identityId, decide, { now: at, acceptsRecent: true }));
    return obstacle;
  };

  const addAfterRequest = async (event: Event): Promise<Obstacle | undefined> => {
    for (const ms of PAUSES_MS) {
      const obstacle = await tryToAdd(event, { waitForRequest: true });
      if (obstacle !== 'REQUEST') return obstacle;
      await pause(ms);
    }
    return tryToAdd(event, { waitForRequest: false });
  };

  return async (event: Event): Promise<void> => {
    if ((await addAfterRequest(event)) === 'PROOF') throw new RetryLater('a proof is being downloaded');
  };
};
