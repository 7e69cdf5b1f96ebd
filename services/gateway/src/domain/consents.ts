import {
  type Consent,
  type ConsentRequest,
  consentsChanged,
  isPast,
  present,
  type Today,
  todayAt,
} from '@assay/contracts';
import { type ChangeResult, type IdentityChange, newEvent, refuse } from './change.ts';
import { BOUNDS, type Identity } from './identity.ts';
import { awaiting } from './status.ts';
import { restartedClock, whyNotAddable, whyNotTakenBack, whyNotWritable } from './transaction.ts';

/** A consent as it is recorded: the fields the specification names, and no others. */
export const recorded = ({ approved, type, validityPeriod }: ConsentRequest, consentId: string): Consent => {
  const { from, to } = validityPeriod ?? {};
  const isBounded = from !== undefined || to !== undefined;
  return { consentId, approved, type, ...(isBounded ? { validityPeriod: present({ from, to }) } : {}) };
};

const changed = (
  identity: Identity,
  consents: Consent[],
  change: { type: 'ADD' | 'DELETE'; consents: Consent[] },
  operationId: string,
): IdentityChange => {
  const consentsRevision = identity.consentsRevision + 1;
  return {
    set: { consents, consentsRevision, ...awaiting(identity, { ...identity, consentsRevision }) },
    events: [newEvent(consentsChanged, { consentsRevision, consents, change, operationId })],
  };
};

const withdraws = ({ approved, validityPeriod: { to } = {} }: Consent, today: Today): boolean =>
  !approved || (to !== undefined && isPast(to, today));

export interface Recording {
  consents: Consent[];
  operationId: string;
  lifetimeSeconds: number;
  now: Date;
}

/**
 * Records consents (endpoint 2). The newest record of a type counts; a consent may be recorded
 * again. Refusals and periods that are over are a withdrawal if there is nothing else: they are
 * recorded in a pause too, and do not end it.
 */
export const recordConsents = (
  identity: Identity,
  { consents, operationId, lifetimeSeconds, now }: Recording,
): ChangeResult => {
  const today = todayAt(now);
  const isWithdrawal = consents.every((consent) => withdraws(consent, today));
  const refused = whyNotAddable(identity, isWithdrawal ? whyNotTakenBack : whyNotWritable);
  if (refused) return refuse(refused);
  if (identity.consents.length + consents.length > BOUNDS.consents) return refuse('STATE_CONFLICT');
  const change = changed(identity, [...identity.consents, ...consents], { type: 'ADD', consents }, operationId);
  const clock = identity.state === 'OPEN' ? restartedClock(lifetimeSeconds, now) : {};
  return { ...change, set: { ...change.set, ...clock } };
};

/**
 * Withdraws a consent. If it was the newest of its type, the older records of that type are
 * withdrawn too: they must not become valid again.
 */
export const withdrawConsent = (identity: Identity, consentId: string, operationId: string): ChangeResult => {
  const refused = whyNotTakenBack(identity);
  if (refused) return refuse(refused);
  const consent = identity.consents.find((entry) => entry.consentId === consentId);
  if (!consent) return refuse('NOT_FOUND');
  const ofType = identity.consents.filter(({ type }) => type === consent.type);
  const removed = ofType.at(-1) === consent ? ofType : [consent];
  const remaining = identity.consents.filter((entry) => !removed.includes(entry));
  return changed(identity, remaining, { type: 'DELETE', consents: removed }, operationId);
};
