import { evidenceEvaluated, evidenceSubmitted, formatDateTime, identityCreated } from '@assay/contracts';
import fc from 'fast-check';
import type { ChangeResult } from '../../services/gateway/src/domain/change.ts';
import { rightCode, whyNotAnswerable, wrongCode } from '../../services/gateway/src/domain/code-answer.ts';
import { recordConsents, withdrawConsent } from '../../services/gateway/src/domain/consents.ts';
import type { Channel } from '../../services/gateway/src/domain/contact.ts';
import { codeSent, contactOf, expireCodes, OPERATIONS, startCode } from '../../services/gateway/src/domain/contacts.ts';
import { deleteEvidence, kindOfDeletion } from '../../services/gateway/src/domain/deletion.ts';
import { applyEvaluation } from '../../services/gateway/src/domain/evaluations.ts';
import type { Evidence, Identity } from '../../services/gateway/src/domain/identity.ts';
import { reserve } from '../../services/gateway/src/domain/reservations.ts';
import { commit, type StoredSubmission, takeIn } from '../../services/gateway/src/domain/submissions.ts';
import { expire, resume } from '../../services/gateway/src/domain/transaction.ts';
import { NOW, settings } from '../../services/gateway/src/testing/builders.ts';
import { anEvaluation } from '../../services/gateway/src/testing/evaluations.ts';
import type { HistoryRecord } from '../../services/proof-builder/src/domain/history.ts';
import { createIdentity, type Played } from './played-identity.ts';

const LIFETIME = 86_400;
const CODE_SECONDS = 300;
const KINDS = [
  ['ID_DOCUMENT', 'ID_DOCUMENT_CAPTURE'],
  ['DRIVING_LICENSE', 'ID_DOCUMENT'],
  ['MEDICARE', 'MEDICARE'],
  ['ATTRIBUTES', 'ATTRIBUTES'],
  ['PORTRAIT', 'PORTRAIT_CAPTURE'],
  ['PORTRAIT_REFERENCE', 'PORTRAIT_REFERENCE'],
  ['ADDITIONAL_FILE', 'ADDITIONAL_FILE'],
] as const;
const SESSIONS = [
  ['PORTRAIT', 'LIVENESS_VIDEO'],
  ['ID_DOCUMENT', 'ID_DOCUMENT_LIVE_CAPTURE'],
] as const;

/** One thing that is done with an identity. `nth` and `channel` choose the object. */
export interface Step {
  do: keyof ReturnType<typeof stepsOn>;
  nth: number;
  channel: Channel;
}

const isOpen = ({ captured, status }: Evidence): boolean => captured === false && status === 'PROCESSING';

const submissionsOn = ({ present, now, nextId, record, take, call }: Played) => {
  const storedOf = (
    evidenceId: string,
    [type, operation]: readonly [StoredSubmission['type'], StoredSubmission['operation']],
  ): StoredSubmission => ({
    evidenceId,
    type,
    operation,
    submitDateTime: formatDateTime(now()),
    media: ['a picture'],
  });
  const submit = (stored: StoredSubmission): boolean => {
    const { evidenceId, operation } = stored;
    if (!take((identity) => reserve(identity, { ...stored, consent: 'NONE' }, now()))) return false;
    return call({ name: operation, type: 'ADD', contextIds: [evidenceId] }, (identity) =>
      commit(identity, stored, LIFETIME, now()),
    );
  };
  const publish = (stored: StoredSubmission) =>
    record({ event: evidenceSubmitted, data: { ...stored, consents: [], settings } });
  const openSessions = (): Evidence[] => present().evidences.filter(isOpen);
  const endSession = ({ evidenceId, type, operation, sessionId = '' }: Evidence, media: unknown[]): void => {
    const stored = { ...storedOf(evidenceId, [type, operation]), media, sessionId };
    publish(stored);
    take((identity) => takeIn(identity, stored, now()));
  };
  return {
    openSessions,
    endSession,
    submit: (nth: number): void => {
      const stored = storedOf(nextId(), KINDS[nth % KINDS.length]!);
      if (submit(stored)) publish(stored);
    },
    startSession: (nth: number): void => {
      submit({ ...storedOf(nextId(), SESSIONS[nth % SESSIONS.length]!), sessionId: nextId(), media: [] });
    },
  };
};

/** Plays the worker: evaluates the evidence that waits. */
const evaluationsOn = ({ present, now, record, take }: Played) => {
  let caseRevision = 0;
  return (waits: (evidence: Evidence) => boolean): void => {
    caseRevision += 1;
    const data = {
      caseRevision,
      policy: settings.policy,
      evidences: present()
        .evidences.filter((evidence) => evidence.status === 'PROCESSING' && waits(evidence))
        .map(({ evidenceId, type, evidenceRevision }) =>
          anEvaluation({ evidenceId, type, evidenceRevision: evidenceRevision + 1 }),
        ),
      basis: { deletions: present().deletedEvidenceIds.length, consentsRevision: present().consentsRevision },
      identity: { levelOfAssurance: 'LOA1' as const, evaluationDateTime: formatDateTime(now()), upgradePaths: {} },
    };
    record({ event: evidenceEvaluated, data });
    take((identity) => applyEvaluation(identity, data, now()));
  };
};

const contactsOn = ({ present, now, nextId, take, call }: Played) => ({
  start: (channel: Channel): void => {
    const known = contactOf(present(), channel);
    const evidenceId = known && !known.verified ? known.evidenceId : nextId();
    const code = { evidenceId, codeId: nextId(), hash: 'h', sealedContact: 's', sealedMessage: 's' };
    const limits = { timeoutSeconds: CODE_SECONDS, attempts: 3, lifetimeSeconds: LIFETIME };
    call({ name: OPERATIONS[channel].start, type: 'ADD', contextIds: [evidenceId] }, (identity, operationId) =>
      startCode(identity, { channel, ...code, ...limits, operationId, now: now() }),
    );
  },
  answer: (channel: Channel, right: boolean): void => {
    const contact = contactOf(present(), channel);
    if (!contact || whyNotAnswerable(present(), channel, now())) return;
    const { codeId } = contact.otp;
    const attemptTaken = { ...contact, otp: { ...contact.otp, attemptsLeft: contact.otp.attemptsLeft - 1 } };
    take(({ contacts }) => ({
      set: { contacts: contacts.map((one) => (one === contact ? attemptTaken : one)) },
      events: [],
    }));
    const decide = (identity: Identity, operationId: string): ChangeResult =>
      rightCode(identity, { channel, codeId, lifetimeSeconds: LIFETIME, operationId, now: now() });
    const contextIds = [contact.evidenceId];
    // A call with a wrong code does not count as one that changes the identity.
    if (right) call({ name: OPERATIONS[channel].verify, type: 'ADD', contextIds }, decide);
    else take((identity) => wrongCode(identity, { channel, codeId }));
  },
});

const stepsOn = (played: Played) => {
  const { present, now, nextId, take, call, later } = played;
  const submissions = submissionsOn(played);
  const contacts = contactsOn(played);
  const evaluate = evaluationsOn(played);
  const nthOpen = (nth: number): Evidence | undefined => {
    const open = submissions.openSessions();
    return open[nth % open.length];
  };
  return {
    submit: ({ nth }: Step) => submissions.submit(nth),
    startSession: ({ nth }: Step) => submissions.startSession(nth),
    endSession: ({ nth }: Step) => {
      const evidence = nthOpen(nth);
      if (evidence) submissions.endSession(evidence, ['a frame']);
    },
    timeOutSession: ({ nth }: Step) => {
      const evidence = nthOpen(nth);
      if (!evidence) return;
      submissions.endSession(evidence, []);
      evaluate(({ evidenceId }) => evidenceId === evidence.evidenceId);
    },
    remove: ({ nth }: Step) => {
      const { evidences, contacts: given } = present();
      const all = [...evidences, ...given];
      const { evidenceId } = all[nth % all.length] ?? { evidenceId: 'none' };
      call(kindOfDeletion(present(), evidenceId), (identity, operationId) =>
        deleteEvidence(identity, { evidenceId, operationId, now: now() }),
      );
    },
    consent: () => {
      const consentId = nextId();
      const consents = [{ consentId, approved: true, type: 'PORTRAIT' as const }];
      call({ name: 'CONSENTS', type: 'ADD', contextIds: [consentId] }, (identity, operationId) =>
        recordConsents(identity, { consents, operationId, lifetimeSeconds: LIFETIME, now: now() }),
      );
    },
    withdraw: ({ nth }: Step) => {
      const { consents } = present();
      const { consentId } = consents[nth % consents.length] ?? { consentId: 'none' };
      call({ name: 'CONSENTS', type: 'DELETE', contextIds: [consentId] }, (identity, operationId) =>
        withdrawConsent(identity, consentId, operationId),
      );
    },
    startCode: ({ channel }: Step) => contacts.start(channel),
    codeSent: ({ channel }: Step) => {
      take((identity) => codeSent(identity, contactOf(identity, channel)?.otp.codeId ?? '', true));
    },
    rightAnswer: ({ channel }: Step) => contacts.answer(channel, true),
    wrongAnswer: ({ channel }: Step) => contacts.answer(channel, false),
    codesExpire: () => {
      later(CODE_SECONDS + 1);
      take((identity) => expireCodes(identity, now()));
    },
    evaluate: () => evaluate(({ captured }) => captured !== false),
    pauseAndResume: () => {
      const pause = { enabled: true, pauseDurationSeconds: LIFETIME };
      if (take((identity) => expire({ ...identity, expiresAt: now() }, pause, now())))
        call({ type: 'ADD', contextIds: [] }, (identity) => resume(identity, LIFETIME, now()));
    },
  };
};

/** Anything that clients, the suite and time do with an identity. */
export const anyStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(...(Object.keys(stepsOn(createIdentity())) as Step['do'][])),
  nth: fc.nat(20),
  channel: fc.constantFrom<Channel>('EMAIL', 'MOBILE'),
});

/** Does the steps, then ends all open work: open sessions expire, and everything is evaluated. */
export const play = (steps: readonly Step[]): { identity: Identity; records: HistoryRecord[] } => {
  const played = createIdentity();
  const on = stepsOn(played);
  played.record({ event: identityCreated, data: { createdAt: formatDateTime(NOW), settings } });
  const run = (step: Step): void => {
    played.later(1);
    on[step.do](step);
  };
  steps.forEach(run);
  const end = (what: Step['do']) => run({ do: what, nth: 0, channel: 'EMAIL' });
  while (played.present().evidences.some(isOpen)) end('timeOutSession');
  end('evaluate');
  return { identity: played.present(), records: played.records };
};
