import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import { expire } from './brief.ts';
import type { createCall } from './call.ts';
import { createIdentity, deleteIdentity, retrieve } from './identity-calls.ts';
import type { Journey } from './journeys.ts';
import type { Ledger } from './ledger.ts';
import { pictureOf } from './picture.ts';
import type { Travelling } from './travelling.ts';

/** The work of a client on whose pictures operators decide. */
export interface Adjudicated {
  afterMs: number;
  pictures: number;
  end: Journey['end'];
}

export const adjudicatedOf = (random: Random): Adjudicated => ({
  afterMs: random.next() * 10_000,
  pictures: random.between(1, 3),
  end: random.pick(['open', 'open', 'deleted', 'proof'] as const),
});

/**
 * Submits pictures to a sandbox, whose operators decide on each: nothing in the simulation can read
 * a picture. Brief ones expire, unless they end before.
 */
export const travelAdjudicated = async (
  travelling: Travelling,
  { pictures, end }: Adjudicated,
  { isBrief }: { isBrief: boolean },
): Promise<void> => {
  const { call, ledger, random } = travelling;
  const identityId = await createIdentity(travelling);
  if (identityId === undefined) return;
  const at = `/svc/v1/identities/${identityId}`;
  if (isBrief) ledger.brief.add(identityId);
  for (let count = 0; count < pictures; count += 1) {
    await call('POST', `${at}/sandbox/outcome`, { json: { outcome: 'document-adjudication' } });
    const body = { part: 'DocumentFront', picture: pictureOf(random) };
    const answer = await call('POST', `${at}/id-documents/capture`, body);
    if (!answer) continue;
    ledger.accepted.push({ identityId, evidenceId: answer.body.id, hasPicture: true });
    ledger.adjudicated.add(answer.body.id);
  }
  if (end === 'proof') await retrieve(travelling, identityId);
  if (end !== 'deleted') return isBrief ? expire(travelling, identityId) : undefined;
  await pause(random.between(1, 20_000));
  await deleteIdentity(travelling, identityId);
};

export interface Operator {
  /** The operator's number. */
  operator: number;
  call: ReturnType<typeof createCall>;
  ledger: Ledger;
  random: Random;
}

const ACCEPTED = 0.7;
const LOOKS_EVERY_MS = 1000;
/** An operator who found no case looks less often. */
const LONGEST_PAUSE_MS = 16_000;

/** Claims waiting cases and decides them, without end. */
export const operate = async ({ operator, call, ledger, random }: Operator): Promise<never> => {
  for (let pauseMs = LOOKS_EVERY_MS; ; ) {
    const list = await call('GET', '/operator/v1/cases');
    const items: { caseId: string; evidenceId: string }[] = list?.body.items ?? [];
    for (const { caseId, evidenceId } of items) {
      if (!(await call('POST', `/operator/v1/cases/${caseId}/claim`))) continue;
      const decision = random.next() < ACCEPTED ? 'ACCEPT' : 'REJECT';
      const made = { evidenceId, operator, decision, isAnswered: false } as const;
      const at = ledger.decisions.push(made) - 1;
      const reasons = decision === 'REJECT' ? ['OTHER_SUSPICIOUS_ELEMENT'] : [];
      const answer = await call('POST', `/operator/v1/cases/${caseId}/decision`, { json: { decision, reasons } });
      if (!answer) continue;
      ledger.decisions[at] = { ...made, isAnswered: true };
      ledger.acts.push({ act: 'case.decide', id: caseId });
    }
    pauseMs = items.length > 0 ? LOOKS_EVERY_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    await pause(pauseMs);
  }
};
