import { randomBytes } from 'node:crypto';
import {
  beginChipAuthentication,
  type CheckState,
  type ChipEvidence,
  type ChipVerification,
  createTrustStore,
  type TrustStore,
  verifyChip,
} from '../index.ts';
import {
  type Authority,
  type ChipPlan,
  createAuthority,
  drawKey,
  type KeyPair,
  type KeySource,
  type Passport,
  type SoftwareChip,
} from '../software/index.ts';

export const NOW = new Date('2026-11-22T12:00:00Z');

const HOLDER: Passport = {
  documentNumber: 'L898902C3',
  surname: 'ERIKSSON',
  givenNames: 'ANNA MARIA',
  dateOfBirth: '1974-08-12',
  gender: 'FEMALE',
  dateOfExpiry: '2032-04-15',
};

const POOL = 3;
const pools = new Map<string, KeyPair[]>();
let turn = 0;

/** Keys out of a pool, since drawing them is slow: a few of each kind, in turn. */
export const pooledKeys: KeySource = (kind) => {
  const name = JSON.stringify(kind);
  const pool = pools.get(name) ?? [];
  pools.set(name, pool);
  if (pool.length < POOL) pool.push(drawKey(kind));
  turn += 1;
  return pool[turn % pool.length]!;
};

const AUTHORITY_KEY = { curve: 'prime256v1' };

/**
 * The usual authority of these tests. Its own keys are nobody else's; those of its signers come out
 * of the pool.
 */
export const authority: Authority = createAuthority({
  key: AUTHORITY_KEY,
  keys: (kind) => (kind === AUTHORITY_KEY ? drawKey(kind) : pooledKeys(kind)),
});

/** The plan of a sound passport, with what a test changes. */
export const planOf = (changes: Partial<ChipPlan> = {}): ChipPlan => ({
  passport: HOLDER,
  now: NOW,
  keys: pooledKeys,
  ...changes,
});

/** A trust store of these certificates in DER. */
export const trusting = (certificates: readonly Buffer[], revocationLists: readonly Buffer[] = []): TrustStore =>
  createTrustStore({
    certificates: certificates.map((der) => ({ der, source: 'test', level: 'SINGLE' })),
    revocationLists,
  });

/** What a reader would send of a chip. */
export const evidenceOf = (chip: SoftwareChip, trust: TrustStore, more: Partial<ChipEvidence> = {}): ChipEvidence => ({
  files: { documentSecurityObject: chip.documentSecurityObject, comFile: chip.comFile },
  dataGroups: chip.dataGroups,
  trust,
  now: NOW,
  ...more,
});

/** The states of a verdict by the names of its checks. */
export const statesOf = ({ indicators }: ChipVerification): Record<string, CheckState> =>
  Object.fromEntries(indicators.map(({ name, state }) => [name, state]));

/** What became of a chip that answered nothing. */
export const verificationOf = (
  chip: SoftwareChip,
  trust: TrustStore,
  more: Partial<ChipEvidence> = {},
): ChipVerification => verifyChip(evidenceOf(chip, trust, more));

const chipAuthenticationOf = (chip: SoftwareChip): ChipEvidence['chipAuthentication'] => {
  if (!chip.doesChipAuthentication) return undefined;
  const start = beginChipAuthentication(chip.dataGroups['14']!);
  const response = chip.answerCommand(start);
  return response && { state: JSON.parse(JSON.stringify(start.state)), response, command: start.command };
};

/** Reads a chip as a reader does: our challenge, our key, then everything. */
export const sent = (chip: SoftwareChip, store: TrustStore): ChipEvidence => {
  const challenge = randomBytes(8);
  const response = chip.answerChallenge(challenge);
  const chipAuthentication = chipAuthenticationOf(chip);
  return evidenceOf(chip, store, {
    challenge,
    ...(response ? { activeAuthenticationResponse: response } : {}),
    ...(chipAuthentication ? { chipAuthentication } : {}),
    imageMrz: chip.machineReadableZone,
  });
};
