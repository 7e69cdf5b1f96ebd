import { createHash, createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { readKeys } from '../proof/keys.ts';
import { lastVouched } from './last-vouched.ts';
import { type AuditEntry, verifyAudit, verifyReceipt, verifyReceiptReply } from './verify-audit.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
const keys = readKeys(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString());
const signed = (content: object): string => jwt.sign(JSON.stringify(content), pem, { algorithm: 'RS256' });

/** A chain that is made from the description in docs/audit.md, not by the service's code. */
const chainOf = (acts: readonly string[]): AuditEntry[] => {
  const entries: AuditEntry[] = [];
  for (const act of acts) {
    const before = entries.at(-1);
    const salt = Buffer.from(act).toString('base64');
    const content = { subject: { tenantId: 't1' }, act };
    const commitment = createHmac('sha256', Buffer.from(salt, 'base64'))
      .update(`{"act":${JSON.stringify(act)},"subject":{"tenantId":"t1"}}`)
      .digest('hex');
    const entry = {
      chain: 't1',
      seq: entries.length + 1,
      at: '2026-01-01T00:00:00.000',
      commitment,
      previous: before?.hash ?? '0'.repeat(64),
    };
    const lines = [entry.previous, entry.chain, entry.seq, entry.at, entry.commitment].join('\n');
    entries.push({ ...entry, content, salt, hash: createHash('sha256').update(lines).digest('hex') });
  }
  return entries;
};
const headOf = (entry: AuditEntry) => {
  const head = { chain: entry.chain, seq: entry.seq, hash: entry.hash };
  return { ...head, at: entry.at, jws: signed({ kind: 'audit-checkpoint', ...head }) };
};

const acts = fc.array(fc.string({ minLength: 1 }), { minLength: 3, maxLength: 8 });

test('a chain verifies with its signed heads, also when old contents were erased', () => {
  fc.assert(
    fc.property(acts, (all) => {
      const entries = chainOf(all);
      const checkpoints = [headOf(entries.at(-2)!)];
      expect(verifyAudit({ entries, checkpoints }, keys)).toMatchObject({ ok: true, vouchedTo: entries.length - 1 });
      const [{ content: _, salt: __, ...erased }, ...rest] = entries as [AuditEntry, ...AuditEntry[]];
      expect(verifyAudit({ entries: [erased, ...rest], checkpoints }, keys).ok).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('an entry that was changed, removed, moved, or rewritten with its successors is detected', () => {
  fc.assert(
    fc.property(acts, fc.nat(), (all, seed) => {
      const entries = chainOf(all);
      const checkpoints = [headOf(entries.at(-1)!)];
      const at = seed % (entries.length - 1);
      const changed = entries.with(at, { ...entries[at]!, content: { act: 'other' } });
      const { salt: _, ...bare } = entries[at]!;
      const unsalted = entries.with(at, { ...bare, content: { act: 'other' } });
      const without = entries.toSpliced(at, 1);
      const swapped = entries.with(at, entries[at + 1]!).with(at + 1, entries[at]!);
      const rewritten = chainOf(all.with(at, `${all[at]}!`));
      for (const bad of [changed, unsalted, without, swapped, rewritten])
        expect(verifyAudit({ entries: bad, checkpoints }, keys).ok).toBe(false);
      const forged = { ...headOf(entries[at]!), seq: at + 2 };
      expect(verifyAudit({ entries, checkpoints: [forged] }, keys).ok).toBe(false);
    }),
    { numRuns: 30 },
  );
});

test('an entry whose content or salt is of no shape that the service writes is refused, not failed at', () => {
  const [entry] = chainOf(['a']) as [AuditEntry];
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
  for (const odd of [{ salt: 5 }, { salt: null }, { content: null }, { content: deep }, { content: 'a' }])
    expect(verifyAudit({ entries: [{ ...entry, ...odd } as AuditEntry], checkpoints: [] }, keys).reasons).toEqual([
      'the content of entry 1 is not what was committed to',
    ]);
});

test('a chain that was signed every minute of many months is vouched for to its last good head', () => {
  const heads = Array.from({ length: 130_000 }, (_, at) => ({ checkpoint: { seq: at + 1 }, faults: [] as string[] }));
  expect(lastVouched(heads)).toBe(130_000);
  expect(lastVouched([...heads, { checkpoint: { seq: 130_001 }, faults: ['it signs something else'] }])).toBe(130_000);
  expect(lastVouched([])).toBe(0);
});

test('a receipt verifies, and no other signed statement is accepted as one', () => {
  const content = {
    identityId: 'i',
    tenantId: 't',
    reason: 'DELETED',
    createdAt: 'a',
    closedAt: 'b',
    keyDestroyed: true,
  };
  expect(verifyReceipt(signed({ kind: 'deletion-receipt', ...content }), keys)).toEqual(content);
  expect(() => verifyReceipt(signed({ kind: 'audit-checkpoint', ...content }), keys)).toThrow('no deletion receipt');
  expect(() => verifyReceipt(signed({ kind: 'deletion-receipt' }).replace(/.{4}$/, 'AAAA'), keys)).toThrow();
});

test('a reply that says something else than the receipt in it is refused', () => {
  const content = { identityId: 'i', tenantId: 't', reason: 'DELETED', closedAt: 'b', keyDestroyed: true };
  const receipt = { jws: signed({ kind: 'deletion-receipt', ...content }) };
  expect(verifyReceiptReply({ ...content, receipt }, keys)).toEqual(content);
  expect(verifyReceiptReply({ receipt }, keys)).toEqual(content);
  const others = { identityId: 'another', keyDestroyed: false, proofId: 'p', constructor: 'c', reason: ['DELETED'] };
  for (const [member, value] of Object.entries(others))
    expect(() => verifyReceiptReply({ ...content, [member]: value, receipt }, keys)).toThrow(
      `the reply says something else than the receipt in it: ${member}`,
    );
});

test('a head whose time is not the signed one is refused', () => {
  const entries = chainOf(['a', 'b']);
  const { jws: _, ...head } = headOf(entries[1]!);
  const checkpoint = { ...head, jws: signed({ kind: 'audit-checkpoint', ...head }) };
  expect(verifyAudit({ entries, checkpoints: [checkpoint] }, keys)).toMatchObject({ ok: true, vouchedTo: 2 });
  const altered = { ...checkpoint, at: '2020-01-01T00:00:00.000' };
  expect(verifyAudit({ entries, checkpoints: [altered] }, keys)).toMatchObject({
    ok: false,
    vouchedTo: 0,
    reasons: ['the checkpoint at 2 signs something else'],
  });
});
