import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import type { ClientCall } from './call.ts';
import { createIdentity, deleteIdentity, mineOf, pathOf, retrieve, retrieveTwice, settle } from './identity-calls.ts';
import { submit } from './journeys.ts';
import type { ConsentLog } from './ledger.ts';
import { forgetPage, showPage, showSelfie } from './photographs.ts';
import { pictureWith } from './picture.ts';
import type { Travelling } from './travelling.ts';

const REVOCABLE = ['GIV', 'PORTRAIT'] as const;
type Revocable = (typeof REVOCABLE)[number];
const STEPS = ['passport', 'passport', 'page', 'selfie', 'forget', 'settle', 'pause'] as const;
/** Given once more, refused, deleted, the one before deleted, deleted while submissions arrive. */
const CHANGES = ['give', 'give', 'refuse', 'delete', 'delete', 'deleteOlder', 'beside'] as const;

/** The work of a client that gives consents and deletes them. */
export interface Consenting {
  afterMs: number;
  steps: ((typeof STEPS)[number] | { change: (typeof CHANGES)[number]; type: Revocable })[];
  /** `race`: it asks for the proof while it deletes the consent. */
  end: 'open' | 'proof' | 'race' | 'deleted';
}

const changeOf = (random: Random) => ({ change: random.pick(CHANGES), type: random.pick(REVOCABLE) });

export const consentingOf = (random: Random): Consenting => ({
  afterMs: random.next() * 10_000,
  steps: Array.from({ length: random.between(2, 8) }, () =>
    random.next() < 0.5 ? random.pick(STEPS) : changeOf(random),
  ),
  end: random.pick(['open', 'open', 'proof', 'race', 'deleted'] as const),
});

/** What a submission is answered without its consent, and a deletion of a deleted consent. */
const WITHOUT_CONSENT = [403];
const UNKNOWN = 404;
const CLOSED = 410;
/** What a deletion is answered while a proof is made, or when it ended the identity. */
const REFUSED_BY_PROOF = [409, CLOSED];

/** A client with its identity, and what it knows of the consents. */
interface Holder {
  travelling: Travelling;
  identityId: string;
  log: ConsentLog;
}

/** Whether the newest consent of a type was given. */
export const isGiven = ({ onRecord }: Pick<ConsentLog, 'onRecord'>, type: Revocable): boolean =>
  onRecord.findLast((one) => one.type === type)?.approved === true;

/** Whether a submission is a selfie. */
export const isPortrait = ({ shows }: { shows?: string | undefined }): boolean => shows === 'self' || shows === 'other';

const withRefusals =
  (call: ClientCall, refusals: readonly number[]): ClientCall =>
  (method, path, body, also = []) =>
    call(method, path, body, [...refusals, ...also]);

/** From now on the issuer need not confirm what was submitted, and may not be asked about it. */
const noteWithdrawal = ({ travelling, identityId }: Holder): void => {
  travelling.ledger.withoutConsent.add(identityId);
  for (const { evidenceId } of mineOf(travelling, identityId)) travelling.ledger.withdrawn.add(evidenceId);
};

const record = async (holder: Holder, types: readonly Revocable[], approved: boolean): Promise<void> => {
  const { travelling, identityId, log } = holder;
  if (types.includes('GIV') && approved) travelling.ledger.withoutConsent.delete(identityId);
  if (types.includes('GIV') && !approved) noteWithdrawal(holder);
  const json = types.map((type) => ({ approved, type }));
  const answer = await travelling.call('POST', `${pathOf(identityId)}/consents`, { json });
  const recorded: ConsentLog['onRecord'] = answer?.body ?? [];
  log.onRecord = [...log.onRecord, ...recorded];
  log.answered.push(...recorded.map(({ consentId }) => consentId));
};

/** What is on record after a deletion: with the newest of a type the older ones are deleted. */
const withoutOne = (onRecord: ConsentLog['onRecord'], consent: ConsentLog['onRecord'][number]) => {
  const isNewest = onRecord.findLast(({ type }) => type === consent.type) === consent;
  return onRecord.filter((one) => one !== consent && !(isNewest && one.type === consent.type));
};

/** Deletes the newest consent of a type, or the one before it. */
const remove = async (holder: Holder, type: Revocable, call: ClientCall, nth: -1 | -2 = -1): Promise<void> => {
  const { travelling, identityId, log } = holder;
  const consent = log.onRecord.filter((one) => one.type === type).at(nth);
  if (!consent) return;
  const path = `${pathOf(identityId)}/consents/${consent.consentId}`;
  if (type === 'GIV' && nth === -1) noteWithdrawal(holder);
  const answer = await call('DELETE', path);
  // Without such an answer, a proof has ended the identity before the deletion or after it.
  const isCertain = answer !== undefined && answer.status !== CLOSED;
  if (!isCertain) log.before = log.onRecord;
  log.onRecord = withoutOne(log.onRecord, consent);
  const again = isCertain && (await call('DELETE', path, undefined, [UNKNOWN]));
  if (again && again.status < 300) travelling.ledger.forbidden.push('a consent was deleted twice');
};

/** Deletes a consent while submissions arrive. Those that need the consent may be refused. */
const removeBeside = async (holder: Holder, type: Revocable): Promise<void> => {
  const { travelling, identityId, log } = holder;
  const { call, random } = travelling;
  const beside = { ...travelling, call: withRefusals(call, WITHOUT_CONSENT) };
  const hasSelfie = mineOf(travelling, identityId).some(isPortrait);
  const needs = isGiven(log, 'GIV') ? (['passport', 'picture'] as const) : (['picture'] as const);
  const submissions = Array.from({ length: random.between(1, 3) }, () =>
    submit(beside, identityId, random.pick([...needs])),
  );
  if (isGiven(log, 'PORTRAIT') && !hasSelfie) submissions.push(showSelfie(beside, identityId));
  await pause(random.next() * LONGEST_BESIDE_MS);
  await Promise.all([...submissions, remove(holder, type, call)]);
  if (!isGiven(log, 'GIV')) noteWithdrawal(holder);
};

const LONGEST_BESIDE_MS = 120;

/** Submits what needs a consent that is not there, which must be refused. */
const submitWithout = async ({ travelling, identityId }: Holder, type: Revocable): Promise<void> => {
  const { ledger, random } = travelling;
  const call = withRefusals(travelling.call, WITHOUT_CONSENT);
  const refused: ClientCall = async (...sent) => {
    if (await call(...sent)) ledger.forbidden.push(`a submission was accepted without ${type}`);
    return undefined;
  };
  if (type === 'GIV') return submit({ ...travelling, call: refused }, identityId, 'passport');
  const body = { part: 'Portrait', picture: pictureWith(random, { face: identityId }) };
  await refused('POST', `${pathOf(identityId)}/attributes/portrait/capture`, body);
};

/** Waits until all is stable, and notes what is VERIFIED while its consent is in force. */
const settleAndNote = async ({ travelling, identityId, log }: Holder): Promise<void> => {
  if (!(await settle(travelling, identityId))) return;
  for (const { evidenceId, number } of mineOf(travelling, identityId)) {
    if (number === undefined || !isGiven(log, 'GIV')) continue;
    const answer = await travelling.call('GET', `${pathOf(identityId)}/status/${evidenceId}`);
    if (answer?.body.status === 'VERIFIED') log.verified.add(evidenceId);
  }
};

const change = async (holder: Holder, what: (typeof CHANGES)[number], type: Revocable): Promise<void> => {
  const { call } = holder.travelling;
  if (what === 'give') await record(holder, [type], true);
  else if (what === 'refuse') await record(holder, [type], false);
  else if (what === 'delete') await remove(holder, type, call);
  else if (what === 'deleteOlder') await remove(holder, type, call, -2);
  else await removeBeside(holder, type);
};

const take = async (holder: Holder, step: Consenting['steps'][number]): Promise<void> => {
  const { travelling, identityId, log } = holder;
  if (typeof step === 'object') return change(holder, step.change, step.type);
  if (step === 'passport')
    return isGiven(log, 'GIV') ? submit(travelling, identityId, 'passport') : submitWithout(holder, 'GIV');
  if (step === 'selfie')
    return isGiven(log, 'PORTRAIT') ? showSelfie(travelling, identityId) : submitWithout(holder, 'PORTRAIT');
  if (step === 'page') return showPage(travelling, identityId);
  if (step === 'forget') return forgetPage(travelling, identityId);
  if (step === 'settle') return settleAndNote(holder);
  return void (await pause(travelling.random.between(1, 8000)));
};

/**
 * Deletes a consent while it asks for the proof: one of both is refused, or the proof knows of it.
 */
const race = async (holder: Holder): Promise<void> => {
  const { travelling, identityId } = holder;
  const { callInHurry: call, ledger, random } = travelling;
  if (!(await settle(travelling, identityId))) return;
  const type = random.pick(REVOCABLE);
  const removing = async (): Promise<void> => {
    await pause(random.next() * LONGEST_BESIDE_MS);
    await remove(holder, type, withRefusals(call, REFUSED_BY_PROOF));
  };
  await Promise.all([retrieveTwice({ call, ledger }, identityId), removing()]);
};

/** Gives consents, submits what rests on them, and takes them back, in any order. */
export const travelConsenting = async (travelling: Travelling, { steps, end }: Consenting): Promise<void> => {
  const { ledger } = travelling;
  const identityId = await createIdentity(travelling);
  if (identityId === undefined) return;
  const log: ConsentLog = { onRecord: [], answered: [], verified: new Set() };
  ledger.consents.set(identityId, log);
  const holder = { travelling, identityId, log };
  await record(holder, REVOCABLE, true);
  for (const step of steps) await take(holder, step);
  if (end === 'proof') await retrieve(travelling, identityId);
  if (end === 'race') await race(holder);
  if (end === 'deleted') await deleteIdentity(travelling, identityId);
};
