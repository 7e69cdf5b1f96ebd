import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import {
  createIdentity,
  deleteEvidence,
  deleteIdentity,
  mineOf,
  pathOf,
  retrieve,
  retrieveTwice,
  settle,
} from './identity-calls.ts';
import { captureLive } from './live-capture.ts';
import { forgetPage, showPage, showSelfie } from './photographs.ts';
import { pictureOf } from './picture.ts';
import type { Travelling } from './travelling.ts';

export const SUBMITTED = ['passport', 'picture', 'address'] as const;

type Step =
  | 'passport'
  | 'address'
  | 'picture'
  | 'contact'
  | 'pause'
  | 'settle'
  | 'delete'
  | 'look'
  | 'many'
  | 'withdraw'
  | 'consent'
  | 'page'
  | 'selfie'
  | 'forget'
  | 'reEvaluate'
  | 'live'
  | 'leave';

/** The work of one client with one identity. */
export interface Journey {
  steps: Step[];
  /** In a hurry, it asks for the proof while it still submits. */
  end: 'open' | 'deleted' | 'proof' | 'hurry';
}

const stepOf = (random: Random): Step =>
  random.pick(['passport', 'passport', 'picture', 'picture', 'address', 'pause', 'delete', 'look', 'many'] as const);

const ALSO: readonly Step[][] = [[], [], [], [], ['contact'], ['contact', 'withdraw'], ['withdraw']];

export const journeyOf = (random: Random): Journey => ({
  // A withdrawal is the last step, because later steps that need the consent would be refused.
  steps: ['passport', ...Array.from({ length: random.between(0, 3) }, () => stepOf(random)), ...random.pick(ALSO)],
  end: random.pick(['open', 'open', 'deleted', 'proof'] as const),
});

/**
 * Selfies and passports of which pages are photographed, in any order, also under another policy.
 */
const photographed = (random: Random): Step[] =>
  Array.from({ length: random.between(2, 5) }, () =>
    random.pick(['page', 'selfie', 'selfie', 'pause', 'forget', 'reEvaluate'] as const),
  );

/**
 * Steps that some clients make after all others: photographs; live captures, of which they leave
 * some without an end; and, after a withdrawal, a consent given anew with what needs it.
 */
export const furtherSteps = (steps: readonly Step[], random: Random): Step[] => [
  ...(random.next() < 0.3 ? [random.pick(['live', 'live', 'leave'] as const)] : []),
  ...(random.next() < 0.25 ? photographed(random) : []),
  ...(steps.includes('withdraw') && random.next() < 0.6 ? (['consent', 'passport'] as const) : []),
];

/**
 * The clients of a crowd all do the same few things at the same time, so that many faults strike
 * the end of an identity.
 */
export const crowdOf = (random: Random): Journey[] => {
  const journey: Journey = {
    steps: [random.pick(SUBMITTED)],
    end: random.pick(['deleted', 'proof'] as const),
  };
  return Array.from({ length: random.between(6, 16) }, () => journey);
};

/**
 * A client in a hurry submits anew as soon as nothing is in process. That is the moment in which
 * the proof can be retrieved too.
 */
export const hurryOf = (random: Random): Journey => ({
  steps: Array.from({ length: random.between(2, 6) }, () => [
    random.pick(['address', 'address', 'picture'] as const),
    'settle' as const,
  ]).flat(),
  end: 'hurry',
});

const passport = (number: string) => ({
  idDocumentType: 'PASSPORT',
  idDocumentNumber: number,
  issuingCountry: 'AUS',
  expiryDate: '2035-08-12',
  personalAttributes: {
    dateOfBirth: { value: '1974-08-12' },
    givenNames: [{ value: 'BARRY' }],
    surname: { value: 'SPECIMEN' },
    gender: { value: 'M' },
  },
});

/** Submits one thing, and records it if it was accepted. */
export const submit = async (
  { call, ledger, outsiders, random }: Travelling,
  identityId: string,
  step: (typeof SUBMITTED)[number],
): Promise<void> => {
  const at = `/svc/v1/identities/${identityId}`;
  if (step === 'address') {
    const answer = await call('POST', `${at}/addresses`, { json: { city: 'UTOPIA', country: 'UTO' } });
    if (answer) ledger.accepted.push({ identityId, evidenceId: answer.body.id });
    return;
  }
  if (step === 'picture') {
    const body = { part: 'DocumentFront', picture: pictureOf(random) };
    const answer = await call('POST', `${at}/id-documents/capture`, body);
    if (answer) ledger.accepted.push({ identityId, evidenceId: answer.body.id, hasPicture: true });
    return;
  }
  const number = `N${1_000_000 + outsiders.sourceReplies.size}`;
  outsiders.sourceReplies.set(number, random.next() < 0.7 ? 'Y' : 'N');
  const answer = await call('POST', `${at}/id-documents`, { json: passport(number) });
  if (answer) ledger.accepted.push({ identityId, evidenceId: answer.body.id, number });
};

/** Requests a one-time code, and sends it back when it has arrived. */
const confirm = async ({ call, ledger, outsiders }: Travelling, identityId: string): Promise<void> => {
  const at = `/svc/v1/identities/${identityId}/contacts/mobile`;
  const value = `+49170${1_000_000 + [...ledger.identities].indexOf(identityId)}`;
  const begun = await call('POST', at, { json: { value } });
  if (!begun) return;
  for (let asked = 0; asked < CODE_ASKED && !outsiders.codes.has(value); asked += 1) await pause(500);
  const otp = outsiders.codes.get(value);
  if (otp === undefined || !(await call('POST', `${at}/otp`, { json: { otp } }))) return;
  ledger.accepted.push({ identityId, evidenceId: begun.body.id });
  ledger.verified.push({ identityId, value });
};

/** What a client does in a step. */
type Take = (travelling: Travelling, identityId: string) => Promise<unknown>;

const consentTo = (approved: boolean) => ({ json: [{ approved, type: 'GIV' }] });

const withdraw: Take = async (travelling, identityId) => {
  const { call, ledger } = travelling;
  ledger.withoutConsent.add(identityId);
  for (const { evidenceId } of mineOf(travelling, identityId)) ledger.withdrawn.add(evidenceId);
  await call('POST', `${pathOf(identityId)}/consents`, consentTo(false));
};

const consent: Take = async ({ call, ledger }, identityId) => {
  ledger.withoutConsent.delete(identityId);
  await call('POST', `${pathOf(identityId)}/consents`, consentTo(true));
};

const look: Take = async (travelling, identityId) => {
  for (const { evidenceId } of mineOf(travelling, identityId))
    await travelling.call('GET', `${pathOf(identityId)}/status/${evidenceId}`);
};

/** Deletes the first document about which an issuer is asked. */
const remove: Take = async (travelling, identityId) => {
  const one = mineOf(travelling, identityId).find(({ number }) => number !== undefined);
  if (!one) return;
  await deleteEvidence(travelling, identityId, one.evidenceId);
};

const many: Take = async (travelling, identityId) => {
  const { random } = travelling;
  const submitted = Array.from({ length: random.between(2, 6) }, () => random.pick(SUBMITTED));
  await Promise.all(submitted.map((one) => submit(travelling, identityId, one)));
};

/** Has everything evaluated under another policy. */
const reEvaluate: Take = async ({ asAdministrator, ledger, random }, identityId) => {
  const policy = random.pick(['default', 'strict', 'gpg45', 'nist-800-63a-4'] as const);
  const answer = await asAdministrator('POST', `/admin/v1/identities/${identityId}/re-evaluation`, {
    json: { policy },
  });
  if (!answer) return;
  ledger.policies.set(identityId, policy);
  ledger.acts.push({ act: 'identity.re-evaluate', id: identityId });
};

const STEPS: Record<Step, Take> = {
  passport: (travelling, identityId) => submit(travelling, identityId, 'passport'),
  address: (travelling, identityId) => submit(travelling, identityId, 'address'),
  picture: (travelling, identityId) => submit(travelling, identityId, 'picture'),
  contact: confirm,
  pause: ({ random }) => pause(random.between(1, 8000)),
  settle: (travelling, identityId) => settle(travelling, identityId, SETTLE_EVERY_MS),
  delete: remove,
  look,
  many,
  withdraw,
  consent,
  page: showPage,
  selfie: showSelfie,
  forget: forgetPage,
  reEvaluate,
  live: (travelling, identityId) => captureLive(travelling, identityId, { isLeft: false }),
  leave: (travelling, identityId) => captureLive(travelling, identityId, { isLeft: true }),
};

/** A client in a hurry looks for a status this often. */
const SETTLE_EVERY_MS = 60;
/** A client waits half a minute for its code. */
const CODE_ASKED = 60;
/** What an identity answers that is paused, closed or in the making of its proof. */
export const REFUSED_BY_END = [409, 410];

/** So many requests for one proof run at once. */
const ASKS_AT_ONCE = 2;

/** Submits, and asks for the proof again and again from the first answer on. */
const hurry = async (travelling: Travelling, identityId: string, steps: readonly Step[]): Promise<void> => {
  const { callInHurry: call, ledger } = travelling;
  await submit(travelling, identityId, 'address');
  const submitAll = async (): Promise<void> => {
    for (const step of steps) await STEPS[step]({ ...travelling, call }, identityId);
  };
  const asks = Array.from({ length: ASKS_AT_ONCE }, () => retrieveTwice({ call, ledger }, identityId));
  await Promise.all([submitAll(), ...asks]);
};

/** Makes all steps of a journey and records what was accepted. */
export const travel = async (travelling: Travelling, { steps, end }: Journey): Promise<void> => {
  const { call } = travelling;
  const identityId = await createIdentity(travelling);
  if (identityId === undefined) return;
  await call('POST', `${pathOf(identityId)}/consents`, {
    json: ['GIV', 'MOBILE_OTP', 'PORTRAIT'].map((type) => ({ approved: true, type })),
  });
  if (end === 'hurry') return hurry(travelling, identityId, steps);
  for (const step of steps) await STEPS[step](travelling, identityId);
  if (end === 'proof') await retrieve(travelling, identityId);
  if (end !== 'deleted') return;
  await deleteIdentity(travelling, identityId);
};
