import { createHash, createHmac } from 'node:crypto';
import type { AuditAct, KeyRole } from '@assay/contracts';

export interface AuditContent {
  act: AuditAct;
  /**
   * The actor: id and role of the key or session, and the person if known; `gateway` for what
   * happens without a caller.
   */
  actor: { keyId: string; role: KeyRole | 'SUITE'; personId?: string };
  /** The objects: ids, by what they identify. */
  subject: Readonly<Record<string, string>>;
  requestId?: string;
  /** Further details: a route, a reason, a status. */
  details?: Readonly<Record<string, string | number>>;
}

/**
 * One entry of a chain. The chain covers keyed commitments of the contents, so that content and key
 * of an old entry can be erased and the chain still verifies.
 */
export interface AuditEntry {
  chain: string;
  seq: number;
  at: string;
  commitment: string;
  previous: string;
  hash: string;
  content?: AuditContent;
  /** Key of the commitment, base64. */
  salt?: string;
}

/** The hash that the first entry of a chain refers to. */
export const GENESIS = '0'.repeat(64);

/** JSON with the keys of every object in order, so that equal contents give equal bytes. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
    .join(',')}}`;
};

const commitmentOf = (content: AuditContent, salt: string): string =>
  createHmac('sha256', Buffer.from(salt, 'base64')).update(canonical(content)).digest('hex');

const hashOf = ({ chain, seq, at, commitment, previous }: Omit<AuditEntry, 'hash'>): string =>
  createHash('sha256').update(`${previous}\n${chain}\n${seq}\n${at}\n${commitment}`).digest('hex');

/** The entry that follows `last` (undefined for the first of a chain). */
export const nextEntry = (
  chain: string,
  last: Pick<AuditEntry, 'seq' | 'hash'> | undefined,
  content: AuditContent,
  { salt, at }: { salt: string; at: string },
): AuditEntry => {
  const entry = {
    chain,
    seq: (last?.seq ?? 0) + 1,
    at,
    commitment: commitmentOf(content, salt),
    previous: last?.hash ?? GENESIS,
    content,
    salt,
  };
  return { ...entry, hash: hashOf(entry) };
};

export type AuditFault = 'SEQUENCE' | 'LINK' | 'HASH' | 'CONTENT' | 'CHECKPOINT';

/** The fault of an entry that should follow `before`; undefined if there is none. */
export const faultOf = (
  before: Pick<AuditEntry, 'seq' | 'hash'> | undefined,
  entry: AuditEntry,
): AuditFault | undefined => {
  if (entry.seq !== (before?.seq ?? 0) + 1) return 'SEQUENCE';
  if (entry.previous !== (before?.hash ?? GENESIS)) return 'LINK';
  if (hashOf(entry) !== entry.hash) return 'HASH';
  // An erased entry has no content. A content without its salt was never committed to.
  const { content, salt } = entry;
  if (content === undefined) return undefined;
  return salt !== undefined && commitmentOf(content, salt) === entry.commitment ? undefined : 'CONTENT';
};

type Head = Pick<AuditEntry, 'seq' | 'hash'>;

/** The fault of an entry that differs from the one that was signed in its place. */
export const faultUnder = (signed: Head | null, { seq, hash }: Head): AuditFault | undefined =>
  signed?.seq === seq && signed.hash !== hash ? 'CHECKPOINT' : undefined;
