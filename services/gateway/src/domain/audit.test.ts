import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AuditEntry, canonical, faultOf, GENESIS, nextEntry } from './audit.ts';

const content = (act: 'key.create' | 'key.delete' = 'key.create') => ({
  act,
  actor: { keyId: 'k', role: 'ADMINISTRATOR' as const },
  subject: { tenantId: 't' },
});
const chainOf = (length: number): AuditEntry[] => {
  const entries: AuditEntry[] = [];
  for (let i = 0; i < length; i += 1)
    entries.push(
      nextEntry('t', entries.at(-1), content(), { salt: Buffer.from(`salt ${i}`).toString('base64'), at: `t${i}` }),
    );
  return entries;
};
const firstFault = (entries: readonly AuditEntry[]) =>
  entries.map((entry, index) => faultOf(entries[index - 1], entry)).find((fault) => fault !== undefined);

describe('an audit chain', () => {
  test('may be empty and verifies', () => {
    const entries = chainOf(4);
    expect(entries[0]).toMatchObject({ seq: 1, previous: GENESIS });
    expect(firstFault(entries)).toBeUndefined();
  });

  test('still verifies when an old content is erased', () => {
    const erased = chainOf(3).map(({ content: _content, salt: _salt, ...entry }) => entry);
    expect(firstFault(erased)).toBeUndefined();
  });

  test('reveals any entry that was changed, removed, moved or inserted', () => {
    const entries = chainOf(6);
    const at = fc.integer({ min: 0, max: 4 });
    const tamper = fc.oneof(
      at.map((i) =>
        entries.map((entry, index) => (index === i ? { ...entry, content: content('key.delete') } : entry)),
      ),
      at.map((i) =>
        entries.map((entry, index) => {
          const { salt: _salt, ...bare } = entry;
          return index === i ? { ...bare, content: content('key.delete') } : entry;
        }),
      ),
      at.map((i) => entries.map((entry, index) => (index === i ? { ...entry, at: 'later' } : entry))),
      at.map((i) => entries.map((entry, index) => (index === i ? { ...entry, commitment: GENESIS } : entry))),
      at.map((i) => entries.filter((_entry, index) => index !== i)),
      at.map((i) => entries.toSpliced(i, 2, entries[i + 1]!, entries[i]!)),
      at.map((i) => entries.toSpliced(i, 0, entries[5 - i]!)),
    );
    fc.assert(fc.property(tamper, (changed) => expect(firstFault(changed)).toBeDefined()));
  });
});

test('canonical JSON does not depend on the order of keys', () => {
  const record = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(record, (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(canonical(turned)).toBe(canonical(value));
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
