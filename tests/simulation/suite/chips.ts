import { createHash } from 'node:crypto';
import { type ChipEvidence, type ChipIndicator, checkChipAnswer } from '@assay/chip';
import { createAuthority, createChip } from '@assay/chip/software';
import type { CheckedChip, ChipProcess } from '../../../services/verification-worker/src/clients/chip-process.ts';

const PASSPORT = {
  documentNumber: 'L898902C3',
  surname: 'ERIKSSON',
  givenNames: 'ANNA MARIA',
  dateOfBirth: '1974-08-12',
  gender: 'FEMALE',
  dateOfExpiry: '2036-04-15',
} as const;

// Made once: it takes longer than a seed may. Only the key of its data group 14 is used, whose
// length does not vary; signatures of an issuer would vary, and with them a run.
const keyOfChip = createChip(createAuthority(), {
  ...{ passport: PASSPORT, now: new Date(Date.UTC(2026, 0, 1)), chipAuthentication: 'ECDH' },
});

/** The zone of every passport. */
const ZONE: NonNullable<CheckedChip['verification']['mrz']> = {
  ...{ format: 'TD3', lines: ['P<UTO<', '<'], checkDigitsValid: true, documentCode: 'P', issuingState: 'UTO' },
  ...{ documentNumber: PASSPORT.documentNumber, surname: PASSPORT.surname, givenNames: PASSPORT.givenNames },
  ...{ nationality: 'UTO', dateOfBirth: PASSPORT.dateOfBirth, dateOfExpiry: PASSPORT.dateOfExpiry },
  ...{ sex: PASSPORT.gender, optionalData: [] },
};

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The files of a passport's chip, the last of which lists the hashes of the others. */
export const filesOfChip = (portrait: Buffer) => {
  const dataGroups = {
    '1': Buffer.from(JSON.stringify(ZONE)),
    '2': portrait,
    '14': Buffer.from(keyOfChip.dataGroups[14]!),
    '15': Buffer.from('the key of active authentication'),
  };
  const hashes = Object.fromEntries(Object.entries(dataGroups).map(([number, bytes]) => [number, hashOf(bytes)]));
  return { dataGroups, documentSecurityObject: Buffer.from(JSON.stringify(hashes)) };
};

/** What the chip answers to a challenge of active authentication. */
export const answerToChallenge = (challenge: Uint8Array): Buffer =>
  createHash('sha256').update('a key in a chip').update(challenge).digest();

/** What the chip answers to the command of chip authentication. */
export const answerToCommand = (begun: { terminalPublicKey: Buffer; command: Buffer }): Buffer =>
  keyOfChip.answerCommand(begun)!;

const stateOf = (isRight: boolean | undefined) => (isRight === undefined ? 'WARNING' : isRight ? 'OK' : 'FAILED');

const indicatorsOf = ({ files, dataGroups, ...asked }: Omit<ChipEvidence, 'trust'>): ChipIndicator[] => {
  const { challenge, activeAuthenticationResponse: answer, chipAuthentication } = asked;
  const hashes: Record<string, string> = JSON.parse(Buffer.from(files.documentSecurityObject).toString());
  const areHashesRight = Object.entries(dataGroups).every(([number, bytes]) => hashes[number] === hashOf(bytes));
  const isActive = answer && challenge && answerToChallenge(challenge).equals(answer);
  const isChip =
    chipAuthentication &&
    chipAuthentication.state.dataGroup14 === hashOf(dataGroups['14']!) &&
    checkChipAnswer(chipAuthentication.state, chipAuthentication.response);
  return [
    { name: 'PASSIVE_AUTHENTICATION_CHECK', state: stateOf(areHashesRight) },
    { name: 'PASSIVE_AUTHENTICATION_HASH_CHECK', state: stateOf(areHashesRight) },
    { name: 'PASOD_SIGNATURE_CHECK', state: 'OK' },
    { name: 'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK', state: 'OK' },
    { name: 'DATA_GROUP1_CHECK', state: 'OK' },
    { name: 'ACTIVE_AUTHENTICATION_CHECK', state: stateOf(isActive) },
    { name: 'CHIP_AUTHENTICATION_CHECK', state: stateOf(isChip) },
  ];
};

const unasked = (): Promise<never> => Promise.reject(new Error('the simulation asks for no such thing'));

/** Replaces the process that checks chips. Answers are checked; every issuer is trusted. */
export const simulatedChips = (): ChipProcess => ({
  check: async (evidence, _trust, portrait) => {
    const { dataGroups } = evidence;
    const states = Object.keys(dataGroups).map((number) => [number, 'OK'] as const);
    return {
      verification: {
        ...{ indicators: indicatorsOf(evidence), findings: [], errors: [], expired: false, mrz: ZONE },
        dataGroups: Object.fromEntries(states),
      },
      ...(portrait && dataGroups['2'] ? { portrait: { bytes: dataGroups['2'], isDecoded: true } } : {}),
    };
  },
  decode: unasked,
  readTrustFile: unasked,
  reportOfTrust: unasked,
  close: async () => undefined,
});
