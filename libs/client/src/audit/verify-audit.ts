import { createHash, createHmac } from 'node:crypto';
import type { VerificationKey } from '../proof/keys.ts';
import { Refusal } from '../proof/report.ts';
import { verifySignature } from '../proof/signature.ts';
import { oneLine } from '../unseen.ts';
import { lastVouched } from './last-vouched.ts';

/** One entry of an exported audit log (docs/audit.md). */
export interface AuditEntry {
  chain: string;
  seq: number;
  at: string;
  commitment: string;
  previous: string;
  hash: string;
  content?: unknown;
  salt?: string;
}

/** A signed head of a chain. */
export interface AuditCheckpoint {
  chain: string;
  seq: number;
  hash: string;
  at: string;
  jws: string;
}

export interface AuditExport {
  entries: readonly AuditEntry[];
  checkpoints: readonly AuditCheckpoint[];
}

export interface AuditReport {
  ok: boolean;
  entries: number;
  /**
   * The last entry that a good checkpoint vouches for; those behind it are only as good as who
   * exported them.
   */
  vouchedTo: number;
  reasons: string[];
}

const GENESIS = '0'.repeat(64);

const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
};

const hashOf = ({ chain, seq, at, commitment, previous }: AuditEntry): string =>
  createHash('sha256').update(`${previous}\n${chain}\n${seq}\n${at}\n${commitment}`).digest('hex');

/** The service writes contents of three levels. One of thousands has another author. */
const MOST_LEVELS = 50;
const isShallow = (value: unknown, levels = MOST_LEVELS): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));

/** Whether a content is the one that was committed to; without its salt nobody can tell. */
const isCommitted = ({ content, salt, commitment }: AuditEntry): boolean =>
  typeof salt === 'string' &&
  isShallow(content) &&
  createHmac('sha256', Buffer.from(salt, 'base64')).update(canonical(content)).digest('hex') === commitment;

const entryFaults = (entry: AuditEntry, before: AuditEntry | undefined): string[] => {
  const { seq, content } = entry;
  return [
    ...(seq === (before?.seq ?? 0) + 1 ? [] : [`an entry is missing or doubled before number ${seq}`]),
    ...(entry.previous === (before?.hash ?? GENESIS) ? [] : [`entry ${seq} follows another one`]),
    ...(hashOf(entry) === entry.hash ? [] : [`entry ${seq} was changed`]),
    ...(content === undefined || isCommitted(entry)
      ? []
      : [`the content of entry ${seq} is not what was committed to`]),
    ...(before === undefined || before.chain === entry.chain ? [] : [`entry ${seq} is of another chain`]),
  ];
};

const checkpointFaults = (
  { jws, seq, hash, chain, at }: AuditCheckpoint,
  entries: ReadonlyMap<number, AuditEntry>,
  keys: readonly VerificationKey[],
): string[] => {
  const content = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8');
  try {
    verifySignature(jws, content, keys);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [`the checkpoint at ${seq}: ${error.message}`];
  }
  const signed = JSON.parse(content) as { kind?: string } & Partial<AuditCheckpoint>;
  const entry = entries.get(seq);
  const isOfThis =
    signed.seq === seq && signed.hash === hash && signed.chain === chain && [undefined, at].includes(signed.at);
  return signed.kind === 'audit-checkpoint' && isOfThis
    ? entry?.hash === hash && entry.chain === chain
      ? []
      : [`the checkpoint at ${seq} is not the head the chain had there`]
    : [`the checkpoint at ${seq} signs something else`];
};

/**
 * Verifies an exported chain without the service: every entry follows the one before, and the
 * signed heads are heads it really had.
 */
export const verifyAudit = ({ entries, checkpoints }: AuditExport, keys: readonly VerificationKey[]): AuditReport => {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  const broken = entries.flatMap((entry, at) => entryFaults(entry, entries[at - 1]));
  const heads = checkpoints.map((checkpoint) => ({ checkpoint, faults: checkpointFaults(checkpoint, bySeq, keys) }));
  const reasons = [...broken, ...heads.flatMap(({ faults }) => faults)];
  return { ok: reasons.length === 0, entries: entries.length, vouchedTo: lastVouched(heads), reasons };
};

/** What a deletion receipt says, once its signature holds. */
export interface DeletionReceipt {
  identityId: string;
  tenantId: string;
  reason: string;
  createdAt: string;
  closedAt: string;
  keyDestroyed: boolean;
  proofId?: string;
}

/**
 * Verifies the JWS of a deletion receipt.
 * @throws Refusal when it is none, or none of the keys made it
 */
export const verifyReceipt = (jws: string, keys: readonly VerificationKey[]): DeletionReceipt => {
  const content = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8');
  verifySignature(jws, content, keys);
  const { kind, ...receipt } = JSON.parse(content) as DeletionReceipt & { kind?: string };
  if (kind !== 'deletion-receipt') throw new Refusal('what was signed is no deletion receipt');
  return receipt;
};

/** The reply of deletion-receipt: what the receipt says, and the JWS that signs it. */
export type ReceiptReply = Partial<DeletionReceipt> & { receipt: { jws: string } };

/**
 * Verifies a reply of deletion-receipt. Returns what was signed; the reply says nothing else.
 * @throws Refusal when the receipt is none, none of the keys made it, or the reply contradicts it
 */
export const verifyReceiptReply = (
  { receipt, ...said }: ReceiptReply,
  keys: readonly VerificationKey[],
): DeletionReceipt => {
  const signed = verifyReceipt(receipt.jws, keys);
  const members = new Map<string, unknown>(Object.entries(signed));
  const [other] = Object.entries(said).find(([member, value]) => members.get(member) !== value) ?? [];
  if (other !== undefined)
    throw new Refusal(`the reply says something else than the receipt in it: ${oneLine(other).slice(0, 100)}`);
  return signed;
};
