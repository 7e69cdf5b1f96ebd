import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, createChip } from '@assay/chip/software';
import type { Identity, VerificationAndEvaluationDetails } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { readProof } from '../proof/contents.ts';
import { readKeys } from '../proof/keys.ts';
import { inspectProof } from '../proof/verify-proof.ts';
import { trustOf } from './trust.ts';
import { verifyChips } from './verify-chips.ts';

const folder = join(import.meta.dirname, '../../test-vectors');
const keys = readKeys(readFileSync(join(folder, 'jwks.json'), 'utf8'));
const authority = createAuthority();
const trust = trustOf([{ name: 'authority', bytes: authority.certificate }]);

/** The vector of a good chip, with another end of proofing and another chip. */
const verifiedAgain = async (signedFor: Date, endDateTime: string) => {
  const { contents } = await inspectProof(join(folder, 'chip-good.zip'), keys);
  if (!contents) throw new Error('the vector cannot be read');
  const { root, json } = contents;
  const parsed = (name: keyof typeof json): unknown => JSON.parse(`${json[name]}`);
  const elements = parsed('verificationAndEvaluationDetails.json') as VerificationAndEvaluationDetails[];
  const identity = parsed('identityDetails.json') as Identity;
  const read = elements.find(({ identityOperation: { name } }) => name === 'EVIDENCE_NFC_VERIFICATION')!;
  const chip = createChip(authority, {
    passport: {
      documentNumber: 'L898902C3',
      surname: 'SPECIMEN',
      givenNames: 'BARRY HENRY',
      dateOfBirth: '1974-08-12',
      gender: 'MALE',
      dateOfExpiry: '2035-04-15',
    },
    now: signedFor,
    activeAuthentication: 'ECDSA',
    chipAuthentication: 'none',
    withoutSigningTime: true,
  });
  const challenge = Buffer.from('0123456789abcdef', 'hex');
  const files = {
    'sod.bin': chip.documentSecurityObject,
    ...Object.fromEntries(Object.entries(chip.dataGroups).map(([number, bytes]) => [`dg${number}.bin`, bytes])),
    'challenge.bin': challenge,
    'active-authentication.bin': chip.answerChallenge(challenge)!,
  };
  return verifyChips(
    { root, proof: { ...readProof(json['proof.json']), endDateTime }, identity, elements },
    new Map(Object.entries(files).map(([name, bytes]) => [`chip/${read.participantContextId}/${name}`, bytes])),
    trust,
  );
};

test('a signer that expired after the chip was verified, before the end of proofing, is right', async () => {
  const { reasons, chips } = await verifiedAgain(new Date('2026-03-01T12:00:00Z'), '2040-01-01T00:00:00.000');
  expect(reasons).toEqual([]);
  expect(chips).toMatchObject([{ signedAt: '2026-03-02T10:01:29.680Z' }]);
});

test('a signer that had expired when the chip was verified is not', async () => {
  const { reasons } = await verifiedAgain(new Date('2014-03-01T12:00:00Z'), '2026-03-02T10:30:00.123');
  expect(reasons.map(({ reason }) => reason)).toContain(
    'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK is OK in the proof, and FAILED by the files and the authorities given',
  );
});
