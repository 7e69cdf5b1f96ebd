import { type Authority, type ChipPlan, createChip, type SoftwareChip } from '@assay/chip/software';
import { present } from '@assay/contracts';

const AT = new Date('2026-03-01T12:00:00Z');
export const CHALLENGE = Buffer.from('0123456789abcdef', 'hex');

/** The chip of a synthetic passport, issued before the synthetic proofs were made. */
export const issueChip = (authority: Authority, plan: Partial<ChipPlan> = {}): SoftwareChip =>
  createChip(authority, {
    passport: {
      documentNumber: 'L898902C3',
      surname: 'SPECIMEN',
      givenNames: 'BARRY HENRY',
      dateOfBirth: '1974-08-12',
      gender: 'MALE',
      dateOfExpiry: '2035-04-15',
    },
    now: AT,
    activeAuthentication: 'ECDSA',
    chipAuthentication: 'none',
    ...plan,
  });

/** The files of a chip as evidence-intake stores them, with the challenge and the answer. */
export const filesOfChip = (chip: SoftwareChip, answer = chip.answerChallenge(CHALLENGE)): Map<string, Buffer> =>
  new Map([
    ['sod.bin', chip.documentSecurityObject],
    ['com.bin', chip.comFile],
    ...Object.entries(chip.dataGroups).map(([number, bytes]) => [`dg${number}.bin`, bytes] as const),
    ['challenge.bin', CHALLENGE],
    ...(answer ? [['active-authentication.bin', answer] as const] : []),
    [
      'session.json',
      Buffer.from(
        JSON.stringify({
          activeAuthenticationChallenge: CHALLENGE.toString('base64'),
          ...present({ activeAuthenticationResponse: answer?.toString('base64') }),
        }),
      ),
    ],
  ]);
