import { sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { activeAuthenticationIsRight } from '../active/active-authentication.ts';
import { readCertificate } from '../certificates/certificate.ts';
import { readDer } from '../der/read.ts';
import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { attempt, verifyChip } from '../index.ts';
import { readDataGroup15 } from '../lds/active-authentication-key.ts';
import { algorithm, bitString, nothing, sequence } from '../software/build.ts';
import { dataGroup15 } from '../software/data-groups.ts';
import { drawKey } from '../software/index.ts';
import { NOW, statesOf, trusting } from '../testing/chips.ts';
import { dataGroups, own, root, signer, signerKey } from '../testing/odd-issuer.ts';
import { authorityKey, type OddObject, oddObject } from '../testing/variants.ts';

const verified = (object: Partial<OddObject>) => {
  const documentSecurityObject = oddObject({ key: signerKey, certificate: signer(), dataGroups, ...object });
  const files = { documentSecurityObject };
  return verifyChip({ files, dataGroups: Object.fromEntries(dataGroups), trust: trusting([root()]), now: NOW });
};

/** The check of the signature for a security object. */
const stateFor = (object: Partial<OddObject>) => statesOf(verified(object)).PASOD_SIGNATURE_CHECK;

describe('an EC key', () => {
  const point = bitString(Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]));
  const on = (...parameters: Buffer[]) => sequence(algorithm('1.2.840.10045.2.1', ...parameters), point);

  test.each([
    ['on the curve of a state, by its name', on(encodeOid('1.2.250.1.223.101.256.1')), 'UNVERIFIED'],
    ['on a curve that its authority is to name', on(nothing), 'UNVERIFIED'],
    ['without a curve', on(), 'UNVERIFIED'],
    ['that is no point of its curve', on(encodeOid('1.2.840.10045.3.1.7')), 'FAILED'],
  ])('%s', (_what, spki, state) => {
    expect(stateFor({ certificate: signer({ spki }) })).toBe(state);
    expect(attempt(readCertificate(signer({ spki })).publicKey).error?.code).toBe(
      state === 'FAILED' ? 'MALFORMED' : 'UNSUPPORTED',
    );
  });
});

describe('the two numbers of an ECDSA signature', () => {
  const numbersOf = (signature: Buffer) => readDer(signature).children.map(({ content }) => content);
  const number = (bytes: Buffer) => encodeElement(TAG.integer, bytes);
  const FORMS: Readonly<Record<string, (signature: Buffer) => Buffer>> = {
    'with zeros in front': (signature) =>
      sequence(...numbersOf(signature).map((bytes) => number(Buffer.concat([Buffer.alloc(2), bytes])))),
    'without the zero that says they are positive': (signature) =>
      sequence(...numbersOf(signature).map((bytes) => number(bytes[0] === 0 ? bytes.subarray(1) : bytes))),
    'with a long length': (signature) =>
      Buffer.concat([Buffer.from([0x30, 0x81, signature[1]!]), signature.subarray(2)]),
  };
  const BROKEN: Readonly<Record<string, (signature: Buffer) => Buffer>> = {
    'one of them alone': (signature) => sequence(number(numbersOf(signature)[0]!)),
    'a third one': (signature) => sequence(...numbersOf(signature).map(number), number(Buffer.from([1]))),
    'zeros alone': () => sequence(number(Buffer.alloc(1)), number(Buffer.alloc(1))),
    'bytes behind': (signature) => Buffer.concat([signature, Buffer.alloc(1)]),
    'something else': (signature) =>
      sequence(...numbersOf(signature).map((bytes) => encodeElement(TAG.utf8String, bytes))),
    nothing: () => Buffer.alloc(0),
  };

  // Some signatures have no number that begins with a zero: each form is tried on several.
  const SEVERAL = Array.from({ length: 8 });
  const key = drawKey({ curve: 'brainpoolP256r1' });
  const challenge = Buffer.alloc(8, 7);
  const answerIsRight = (response: Buffer) =>
    activeAuthenticationIsRight({ key: readDataGroup15(dataGroup15(key.spki)), challenge, response });

  test.each(Object.entries(FORMS))('%s', (_name, change) => {
    const signed = (bytes: Buffer) => change(sign('sha256', bytes, signerKey.privateKey));
    for (const _ of SEVERAL) {
      expect(stateFor({ sign: signed })).toBe('OK');
      expect(answerIsRight(change(sign('sha256', challenge, key.privateKey)))).toBe(true);
    }
    expect(stateFor({ sign: (bytes) => signed(bytes.subarray(1)) })).toBe('FAILED');
    expect(answerIsRight(change(sign('sha256', Buffer.alloc(8), key.privateKey)))).toBe(false);
  });

  test.each(Object.entries(BROKEN))('%s is no signature', (_name, change) => {
    expect(stateFor({ sign: (bytes) => change(sign('sha256', bytes, signerKey.privateKey)) })).toBe('FAILED');
    expect(answerIsRight(change(sign('sha256', challenge, key.privateKey)))).toBe(false);
  });
});

test('SHA-1 with RSA by its older identifier', () => {
  const key = drawKey('RSA-2048');
  const made = { key, certificate: signer({ key }), signatureAlgorithm: algorithm('1.3.14.3.2.29', nothing) };
  expect(stateFor({ ...made, sign: (bytes) => sign('sha1', bytes, key.privateKey) })).toBe('OK');
  expect(stateFor({ ...made, sign: (bytes) => sign('sha256', bytes, key.privateKey) })).toBe('FAILED');
});

test('a signer whose certificate cannot be read, or is not there', () => {
  const twice = signer({ extensions: [authorityKey(own.keyId), authorityKey(own.keyId)] });
  const reasonFor = (object: Partial<OddObject>) =>
    verified(object).findings.flatMap((finding) => (finding.code === 'SIGNATURE_NOT_RIGHT' ? [finding.reason] : []));
  const unknown = 'no certificate of the signer is known';
  expect(reasonFor({ certificate: twice })).toEqual([`${unknown}; one in the object cannot be read`]);
  expect(reasonFor({ certificates: [] })).toEqual([unknown]);
});
