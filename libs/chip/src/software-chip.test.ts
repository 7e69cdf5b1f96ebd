import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CheckState, verifyChip } from './index.ts';
import {
  CHIP_FAULTS,
  type ChipFault,
  type ChipPlan,
  createChip,
  drawKey,
  type SoftwareChip,
} from './software/index.ts';
import { authority, evidenceOf, planOf, sent, statesOf, trusting } from './testing/chips.ts';
import { anyPlan } from './testing/plans.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 160);

const trust = trusting([authority.certificate]);

const read = (chip: SoftwareChip) => verifyChip(sent(chip, trust));

const expectedOfSound = ({
  activeAuthentication = 'none',
  chipAuthentication = 'none',
}: ChipPlan): Record<string, CheckState> => {
  // An active authentication key on a curve names its digest in data group 14. That group is then
  // listed although it contains no key.
  const has14 = chipAuthentication !== 'none' || activeAuthentication === 'ECDSA';
  return {
    PASSIVE_AUTHENTICATION_CHECK: 'OK',
    PASOD_SIGNATURE_CHECK: 'OK',
    PASSIVE_AUTHENTICATION_HASH_CHECK: 'OK',
    PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK: 'OK',
    ACTIVE_AUTHENTICATION_CHECK: activeAuthentication === 'none' ? 'UNVERIFIED' : 'OK',
    CHIP_AUTHENTICATION_CHECK: chipAuthentication === 'none' ? (has14 ? 'WARNING' : 'UNVERIFIED') : 'OK',
    DATA_GROUP1_CHECK: 'OK',
    BASIC_ACCESS_CONTROL_CHECK: 'UNVERIFIED',
    PASSWORD_AUTHENTICATED_CONNECTION_ESTABLISHMENT_CHECK: 'UNVERIFIED',
    TERMINAL_AUTHENTICATION_CHECK: 'UNVERIFIED',
  };
};

/** The results that each fault changes. */
const FAULTS: Readonly<Record<ChipFault, (plan: ChipPlan) => Record<string, CheckState>>> = {
  'dg-altered': () => ({
    PASSIVE_AUTHENTICATION_CHECK: 'FAILED',
    PASSIVE_AUTHENTICATION_HASH_CHECK: 'FAILED',
    DATA_GROUP1_CHECK: 'FAILED',
  }),
  'wrong-signer': ({ activeAuthentication, chipAuthentication }) => ({
    PASSIVE_AUTHENTICATION_CHECK: 'FAILED',
    PASOD_SIGNATURE_CHECK: 'FAILED',
    PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK: 'UNVERIFIED',
    ...(activeAuthentication === 'none' ? {} : { ACTIVE_AUTHENTICATION_CHECK: 'UNVERIFIED' }),
    ...(chipAuthentication === 'none' ? {} : { CHIP_AUTHENTICATION_CHECK: 'UNVERIFIED' }),
  }),
  'unknown-csca': () => ({
    PASSIVE_AUTHENTICATION_CHECK: 'UNVERIFIED',
    PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK: 'UNVERIFIED',
  }),
  cloned: ({ activeAuthentication, chipAuthentication }) => ({
    ...(activeAuthentication === 'none' ? {} : { ACTIVE_AUTHENTICATION_CHECK: 'FAILED' }),
    ...(chipAuthentication === 'none' ? {} : { CHIP_AUTHENTICATION_CHECK: 'FAILED' }),
  }),
  'expired-signer': () => ({
    PASSIVE_AUTHENTICATION_CHECK: 'FAILED',
    PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK: 'FAILED',
  }),
};

describe('any chip', () => {
  test('a sound chip passes, whatever keys, digests and encodings its issuer uses; each fault gives its indicator and no other', () => {
    fc.assert(
      fc.property(anyPlan, fc.option(fc.constantFrom(...CHIP_FAULTS), { nil: undefined, freq: 4 }), (plan, fault) => {
        const verification = read(createChip(authority, { ...plan, ...(fault ? { fault } : {}) }));
        expect(verification.errors).toEqual([]);
        expect(statesOf(verification)).toEqual({ ...expectedOfSound(plan), ...(fault ? FAULTS[fault](plan) : {}) });
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test('an answer to another challenge or another key does not count', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const chip = createChip(authority, {
          ...plan,
          activeAuthentication: plan.activeAuthentication === 'none' ? 'ECDSA' : plan.activeAuthentication!,
          chipAuthentication: 'ECDH',
        });
        const first = sent(chip, trust);
        const other = sent(chip, trust);
        const replayed = statesOf(
          verifyChip({
            ...first,
            challenge: other.challenge!,
            chipAuthentication: { ...other.chipAuthentication!, response: first.chipAuthentication!.response },
          }),
        );
        expect([replayed.ACTIVE_AUTHENTICATION_CHECK, replayed.CHIP_AUTHENTICATION_CHECK]).toEqual([
          'FAILED',
          'FAILED',
        ]);
      }),
      { numRuns: Math.ceil(RUNS / 4), endOnFailure: true },
    );
  });
});

describe('attempts of a clone', () => {
  const chip = createChip(authority, planOf({ activeAuthentication: 'ECDSA', chipAuthentication: 'ECDH' }));
  const stranger = createChip(
    authority,
    planOf({ activeAuthentication: 'ECDSA', chipAuthentication: 'ECDH', keys: drawKey }),
  );

  test('leaving out the keys is a warning', () => {
    const { '14': _14, '15': _15, ...rest } = chip.dataGroups;
    const verification = verifyChip({ ...evidenceOf(chip, trust), dataGroups: rest });
    expect(statesOf(verification)).toMatchObject({
      PASSIVE_AUTHENTICATION_CHECK: 'OK',
      ACTIVE_AUTHENTICATION_CHECK: 'WARNING',
      CHIP_AUTHENTICATION_CHECK: 'WARNING',
    });
    expect(verification.findings).toEqual(
      expect.arrayContaining([
        { code: 'DATA_GROUP_WITHHELD', dataGroup: 14 },
        { code: 'DATA_GROUP_WITHHELD', dataGroup: 15 },
      ]),
    );
  });

  test('answers under keys of another chip fail, as their data groups are not those that were signed', () => {
    const answers = sent(stranger, trust);
    const verification = statesOf(
      verifyChip({
        ...answers,
        files: sent(chip, trust).files,
        dataGroups: { ...chip.dataGroups, 14: stranger.dataGroups['14']!, 15: stranger.dataGroups['15']! },
      }),
    );
    expect(verification).toMatchObject({
      PASSIVE_AUTHENTICATION_HASH_CHECK: 'FAILED',
      ACTIVE_AUTHENTICATION_CHECK: 'FAILED',
      CHIP_AUTHENTICATION_CHECK: 'FAILED',
    });
  });

  test('chip authentication with the key of another chip does not count for this chip', () => {
    const verification = statesOf(
      verifyChip({ ...sent(chip, trust), chipAuthentication: sent(stranger, trust).chipAuthentication! }),
    );
    expect(verification.CHIP_AUTHENTICATION_CHECK).toBe('FAILED');
  });

  test('another command than ours fails', () => {
    const evidence = sent(chip, trust);
    const verification = verifyChip({
      ...evidence,
      chipAuthentication: { ...evidence.chipAuthentication!, command: Buffer.from('00a4020c02010e', 'hex') },
    });
    expect(statesOf(verification).CHIP_AUTHENTICATION_CHECK).toBe('FAILED');
  });

  test('without our challenge there is no active authentication', () => {
    const { challenge: _challenge, ...evidence } = sent(chip, trust);
    expect(statesOf(verifyChip(evidence)).ACTIVE_AUTHENTICATION_CHECK).toBe('UNVERIFIED');
  });
});
