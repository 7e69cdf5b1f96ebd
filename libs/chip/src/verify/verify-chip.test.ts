import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { LIMITS } from '../limits.ts';
import { createChip } from '../software/index.ts';
import { authority, evidenceOf, NOW, planOf, sent, statesOf, trusting } from '../testing/chips.ts';
import { CHIP_INDICATORS } from './verification.ts';
import { verifyChip } from './verify-chip.ts';

const trust = trusting([authority.certificate]);

describe('the data that are read from a chip', () => {
  const chip = createChip(authority, planOf({ dateOfIssue: '2026-02-03' }));

  test('holder, document and portrait, from data groups whose hash is right', () => {
    expect(verifyChip(sent(chip, trust))).toMatchObject({
      expired: false,
      mrz: {
        format: 'TD3',
        surname: 'ERIKSSON',
        givenNames: 'ANNA MARIA',
        issuingState: 'UTO',
        documentNumber: 'L898902C3',
        dateOfBirth: '1974-08-12',
        dateOfExpiry: '2032-04-15',
        sex: 'FEMALE',
      },
      holder: { fullName: 'ERIKSSON ANNA MARIA', dateOfBirth: '1974-08-12', placeOfBirth: 'SPECIMENTOWN' },
      document: { issuingAuthority: 'SPECIMEN AUTHORITY', dateOfIssue: '2026-02-03' },
      portrait: { type: 'image/jpeg', width: 120, height: 160 },
      authority: { source: 'test', level: 'SINGLE' },
    });
  });

  test('a machine-readable zone that differs from the one in the image fails', () => {
    const verification = verifyChip(
      evidenceOf(chip, trust, { imageMrz: chip.machineReadableZone.replace('ANNA', 'ANNE') }),
    );
    expect(statesOf(verification).DATA_GROUP1_CHECK).toBe('FAILED');
    expect(verification.findings).toContainEqual({ code: 'MRZ_DIFFERS_FROM_IMAGE' });
  });

  test('a missing personal number may have 0 or < as its check digit', () => {
    const imageMrz = chip.machineReadableZone.replace(/0(.)$/, '<$1');
    expect(imageMrz).not.toBe(chip.machineReadableZone);
    expect(statesOf(verifyChip(evidenceOf(chip, trust, { imageMrz }))).DATA_GROUP1_CHECK).toBe('OK');
  });

  test('fingerprints and irises are refused, and so is a file that is no data group', () => {
    const verification = verifyChip({
      ...evidenceOf(chip, trust),
      dataGroups: {
        ...chip.dataGroups,
        3: Buffer.from('6300', 'hex'),
        4: Buffer.from('7600', 'hex'),
        17: Buffer.alloc(1),
        '01': Buffer.alloc(1),
      },
    });
    expect(verification.errors.map(({ file, code }) => [file, code])).toEqual([
      ['dataGroups.3', 'REFUSED'],
      ['dataGroups.4', 'REFUSED'],
      ['dataGroups.17', 'MALFORMED'],
      ['dataGroups.01', 'MALFORMED'],
    ]);
    expect(Object.keys(verification.dataGroups)).toEqual(['1', '2', '11', '12']);
  });

  test.each([
    ['that is too large', { 13: Buffer.alloc(LIMITS.fileBytes + 1) }],
    ['that is refused', { 3: Buffer.from('6300', 'hex') }],
  ])('a data group %s was not hashed, and no result claims that it was', (_what, more) => {
    const evidence = evidenceOf(chip, trust);
    const verification = verifyChip({ ...evidence, dataGroups: { ...chip.dataGroups, ...more } });
    expect(statesOf(verification)).toMatchObject({
      PASOD_SIGNATURE_CHECK: 'OK',
      PASSIVE_AUTHENTICATION_HASH_CHECK: 'UNVERIFIED',
      PASSIVE_AUTHENTICATION_CHECK: 'UNVERIFIED',
    });
    const altered = { ...chip.dataGroups, ...more, 11: Buffer.concat([chip.dataGroups[11]!, Buffer.alloc(1)]) };
    expect(statesOf(verifyChip({ ...evidence, dataGroups: altered }))).toMatchObject({
      PASSIVE_AUTHENTICATION_HASH_CHECK: 'FAILED',
      PASSIVE_AUTHENTICATION_CHECK: 'FAILED',
    });
  });

  test('without data group 1 nothing is checked in full', () => {
    const { '1': _1, ...rest } = chip.dataGroups;
    const verification = verifyChip({ ...evidenceOf(chip, trust), dataGroups: rest });
    expect(verification.errors).toMatchObject([{ file: 'dataGroups.1', code: 'MISSING' }]);
    expect(statesOf(verification)).toMatchObject({
      DATA_GROUP1_CHECK: 'UNVERIFIED',
      PASSIVE_AUTHENTICATION_CHECK: 'UNVERIFIED',
    });
  });

  test('an expired document is reported once its last day is over everywhere on Earth', () => {
    const old = createChip(authority, planOf({ passport: { ...planOf().passport, dateOfExpiry: '2026-11-21' } }));
    expect(verifyChip(evidenceOf(old, trust))).toMatchObject({
      expired: true,
      findings: expect.arrayContaining([{ code: 'DOCUMENT_EXPIRED' }]),
    });
    expect(verifyChip(evidenceOf(old, trust, { now: new Date(NOW.getTime() - 1) }))).toMatchObject({
      expired: false,
    });
  });
});

test('docs/indicators.md has a line for every check', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/indicators.md'), 'utf8');
  const inTables = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|')[1])
    .join();
  expect(CHIP_INDICATORS.filter((name) => !inTables.includes(name))).toEqual([]);
});
