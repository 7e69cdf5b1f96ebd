import { formatDateTime } from '@assay/contracts';
import type { AdjudicationCase, AdjudicationChange } from '../domain/adjudication-case.ts';
import { applied, type ChangeResult, type IdentityChange, isRefusal } from '../domain/change.ts';
import type { Contact } from '../domain/contact.ts';
import { begin, type Evidence, type Identity } from '../domain/identity.ts';

export const NOW = new Date('2026-03-01T10:00:00.000Z');
export const LIFETIME = 1800;

/** A time this many seconds after the beginning of every test. */
export const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

export const settings: Identity['settings'] = {
  policy: { name: 'default', version: '1.0' },
  acceptSpecimens: false,
  issuingSources: { enabled: false, userCategory: 'COMMERCIAL' },
  adjudication: { enabled: false, fourEyes: false, expirySeconds: 60 },
};

export const anIdentity = (more: Partial<Identity> = {}): Identity => ({
  ...begin(
    {
      identityId: '00000000-0000-4000-8000-000000000001',
      tenantId: '00000000-0000-4000-8000-0000000000aa',
      role: 'RELYING_SERVICE',
      settings,
      lifetimeSeconds: LIFETIME,
    },
    NOW,
  ),
  ...more,
});

export const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const anEvidence = (number: number, more: Partial<Evidence> = {}): Evidence => ({
  evidenceId: idOf(number),
  type: 'PASSPORT',
  operation: 'ID_DOCUMENT_CAPTURE',
  submitDateTime: formatDateTime(NOW),
  status: 'PROCESSING',
  evidenceRevision: 0,
  publishedRevisions: [],
  ...more,
});

/**
 * The result of a decision: the identity after it and the types of its events, or the name of the
 * refusal.
 */
export const outcome = (identity: Identity, decision: ChangeResult) => {
  if (decision === undefined) return { identity, published: [], refused: undefined };
  if (isRefusal(decision)) return { identity, published: [], refused: decision.refused };
  return { identity: applied(identity, decision), published: typesOf(decision), refused: undefined };
};

export const typesOf = ({ events }: Pick<IdentityChange, 'events'>): string[] => events.map(({ event }) => event.type);

/** A contact with a code on its way. */
export const aContact = (more: Partial<Contact> = {}): Contact => ({
  evidenceId: idOf(7),
  channel: 'EMAIL',
  contactRevision: 1,
  submitDateTime: '2026-03-01T10:00:00.000',
  sealedContact: 'sealed',
  verified: false,
  otp: {
    codeId: idOf(70),
    status: 'INITIATE',
    creationTime: '2026-03-01T10:00:00.000',
    expiresAt: after(300),
    timeout: 300,
    hash: 'hash',
    attemptsLeft: 3,
  },
  sent: 1,
  ...more,
});

/** A case that waits for an operator. */
export const aWaitingCase = (more: Partial<AdjudicationCase> = {}): AdjudicationCase => ({
  _id: 'case',
  revision: 0,
  tenantId: 'tenant',
  identityId: 'identity',
  evidenceId: 'evidence',
  type: 'PASSPORT',
  submitDateTime: formatDateTime(NOW),
  requestedAt: formatDateTime(NOW),
  expiresAt: after(3600),
  fourEyes: false,
  raisedIndicators: [],
  reasons: [],
  media: [],
  state: 'OPEN',
  decisions: [],
  ...more,
});

/** A case after a change, as it is stored. */
export const changedCase = (adjudication: AdjudicationCase, change?: AdjudicationChange): AdjudicationCase => {
  const next = { ...adjudication, ...change?.set };
  for (const field of change?.unset ?? []) delete next[field];
  return next;
};
