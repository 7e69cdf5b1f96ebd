import { formatDateTime } from '@assay/contracts';
import { applied, type ChangeResult, type IdentityChange, isRefusal } from '../domain/change.ts';
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
