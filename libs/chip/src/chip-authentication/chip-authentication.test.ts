import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { readDer } from '../der/read.ts';
import { encodeOid } from '../der/write.ts';
import { attempt } from '../errors.ts';
import { answerCommand } from '../software/answers.ts';
import { algorithm, integer, sequence } from '../software/build.ts';
import { chipAuthenticationInfo, chipAuthenticationKey, dataGroup14 } from '../software/data-groups.ts';
import { drawKey } from '../software/index.ts';
import { beginChipAuthentication, checkChipAnswer } from './chip-authentication.ts';
import { macOf, pad } from './ciphers.ts';

const key = drawKey({ curve: 'prime256v1' });
const other = drawKey({ curve: 'brainpoolP256r1' });

const refusal = (file: Buffer) => attempt(() => beginChipAuthentication(file)).error?.code;

describe('the choice of the protocol', () => {
  test('the strongest protocol that has a key, by the id of the key', () => {
    const file = dataGroup14(
      chipAuthenticationInfo(1, 7),
      chipAuthenticationKey(key.spki, 7),
      chipAuthenticationInfo(4, 195),
      chipAuthenticationKey(other.spki, 195),
      chipAuthenticationInfo(3, 9),
    );
    const start = beginChipAuthentication(file);
    expect(start).toMatchObject({ protocol: '0.4.0.127.0.7.2.2.3.2.4', keyId: 195, state: { cipher: 'AES-256' } });
    expect(checkChipAnswer(start.state, answerCommand(other, 'AES-256', start.terminalPublicKey, start.command))).toBe(
      true,
    );
    expect(checkChipAnswer(start.state, answerCommand(key, 'AES-256', drawPoint('prime256v1'), start.command))).toBe(
      false,
    );
  });

  test('a key that we cannot use gives way to the next one', () => {
    const weaker = [chipAuthenticationInfo(2, 2), chipAuthenticationKey(other.spki, 2)];
    const stronger = (spki: Buffer) => [chipAuthenticationInfo(4, 1), chipAuthenticationKey(spki, 1)];
    const noKey = sequence(algorithm('1.2.840.10045.2.1', encodeOid('1.2.3.4')), readDer(key.spki).children[1]!.bytes);
    for (const spki of [drawKey({ curve: 'secp256k1' }).spki, noKey, drawKey('RSA-1024').spki]) {
      const start = beginChipAuthentication(dataGroup14(...stronger(spki), ...weaker));
      expect(start).toMatchObject({ protocol: '0.4.0.127.0.7.2.2.3.2.2', keyId: 2 });
      expect(
        checkChipAnswer(start.state, answerCommand(other, 'AES-128', start.terminalPublicKey, start.command)),
      ).toBe(true);
      expect(refusal(dataGroup14(...stronger(spki)))).toBe('UNSUPPORTED');
    }
  });

  test('a key on a twisted curve, and one beside infos of finite fields', () => {
    const twisted = drawKey({ curve: 'brainpoolP320t1', explicit: true });
    const start = beginChipAuthentication(dataGroup14(chipAuthenticationInfo(3), chipAuthenticationKey(twisted.spki)));
    expect(
      checkChipAnswer(start.state, answerCommand(twisted, 'AES-192', start.terminalPublicKey, start.command)),
    ).toBe(true);
    const finite = sequence(encodeOid('0.4.0.127.0.7.2.2.3.1.2'), integer(1));
    expect(beginChipAuthentication(dataGroup14(finite, chipAuthenticationKey(key.spki)))).toMatchObject({
      state: { cipher: '3DES' },
    });
  });

  test('a key without infos means 3DES', () => {
    expect(beginChipAuthentication(dataGroup14(chipAuthenticationKey(key.spki)))).toMatchObject({
      protocol: '0.4.0.127.0.7.2.2.3.2.1',
      state: { cipher: '3DES' },
    });
  });

  test('a curve may be given by its standardized number', () => {
    const numbered = (number: number) => {
      const [, point] = readDer(other.spki).children;
      return sequence(algorithm('0.4.0.127.0.7.1.2', integer(number)), point!.bytes);
    };
    const start = beginChipAuthentication(dataGroup14(chipAuthenticationInfo(2), chipAuthenticationKey(numbered(13))));
    expect(checkChipAnswer(start.state, answerCommand(other, 'AES-128', start.terminalPublicKey, start.command))).toBe(
      true,
    );
    expect(refusal(dataGroup14(chipAuthenticationInfo(2), chipAuthenticationKey(numbered(12))))).toBe('MALFORMED');
    expect(refusal(dataGroup14(chipAuthenticationInfo(2), chipAuthenticationKey(numbered(2))))).toBe('UNSUPPORTED');
  });

  test('a chip that offers more protocols than any has is refused before its keys are read', () => {
    const offering = (count: number) =>
      dataGroup14(
        ...Array.from({ length: count }, (_, index) => chipAuthenticationInfo(2, index)),
        chipAuthenticationKey(key.spki, 0),
      );
    expect(refusal(offering(16))).toBeUndefined();
    expect(refusal(offering(17))).toBe('LIMIT_EXCEEDED');
  });

  test('infos that name no cipher, or are cut short, change nothing', () => {
    const curveOnly = sequence(encodeOid('0.4.0.127.0.7.2.2.3.2'), algorithm('0.4.0.127.0.7.1.2', integer(12)));
    const cutShort = sequence(encodeOid('2.23.136.1.1.5'), integer(1));
    expect(beginChipAuthentication(dataGroup14(curveOnly, cutShort, chipAuthenticationKey(key.spki)))).toMatchObject({
      protocol: '0.4.0.127.0.7.2.2.3.2.1',
    });
  });

  test('finite-field keys, infos without a key, and nothing at all are refused', () => {
    const { publicKey } = generateKeyPairSync('x25519');
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    expect(refusal(dataGroup14(chipAuthenticationKey(spki, undefined, 'DH')))).toBe('UNSUPPORTED');
    expect(refusal(dataGroup14(chipAuthenticationInfo(2)))).toBe('UNSUPPORTED');
    expect(refusal(dataGroup14())).toBe('UNSUPPORTED');
    expect(refusal(dataGroup14(chipAuthenticationInfo(2), chipAuthenticationKey(spki)))).toBe('UNSUPPORTED');
  });

  test('a point that is not on its curve is refused', () => {
    const spki = Buffer.from(key.spki);
    spki[spki.length - 1]! ^= 1;
    expect(refusal(dataGroup14(chipAuthenticationInfo(2), chipAuthenticationKey(spki)))).toBe('MALFORMED');
  });
});

const drawPoint = (curve: string): Buffer =>
  beginChipAuthentication(dataGroup14(chipAuthenticationInfo(2), chipAuthenticationKey(drawKey({ curve }).spki)))
    .terminalPublicKey;

describe('the session', () => {
  test('a shared secret retains its leading zeros: hundreds of exchanges are right', () => {
    const file = dataGroup14(chipAuthenticationInfo(2), chipAuthenticationKey(key.spki));
    for (let run = 0; run < 600; run += 1) {
      const start = beginChipAuthentication(file);
      expect(checkChipAnswer(start.state, answerCommand(key, 'AES-128', start.terminalPublicKey, start.command))).toBe(
        true,
      );
    }
  });

  test('keys are drawn below the order of each curve', () => {
    for (const curve of [
      'prime192v1',
      'secp224r1',
      'secp384r1',
      'secp521r1',
      'brainpoolP160r1',
      'brainpoolP320r1',
      'brainpoolP512r1',
    ]) {
      const own = drawKey({ curve, explicit: true });
      const start = beginChipAuthentication(dataGroup14(chipAuthenticationInfo(3), chipAuthenticationKey(own.spki)));
      expect(checkChipAnswer(start.state, answerCommand(own, 'AES-192', start.terminalPublicKey, start.command))).toBe(
        true,
      );
    }
    const zeros = () =>
      beginChipAuthentication(dataGroup14(chipAuthenticationKey(key.spki)), {
        randomness: (size) => new Uint8Array(size),
      });
    expect(zeros).toThrow('randomness');
  });

  test.each([
    '',
    '9000',
    '6982',
    '990290008e0812345678123456789000',
    '8e08123456781234567899029000',
    '99026a828e0812345678123456789000',
    '8781ff',
    '87ff',
  ])('an invalid answer, %s, is wrong', (answer) => {
    const { state } = beginChipAuthentication(dataGroup14(chipAuthenticationKey(key.spki)));
    expect(checkChipAnswer(state, Buffer.from(answer, 'hex'))).toBe(false);
    expect(checkChipAnswer(state, Buffer.alloc(5000, 0x87))).toBe(false);
  });

  test('the stored state contains no private key and no encryption key', () => {
    const { state } = beginChipAuthentication(dataGroup14(chipAuthenticationInfo(4), chipAuthenticationKey(key.spki)));
    expect(Object.keys(state).toSorted()).toEqual(['cipher', 'command', 'dataGroup14', 'macKey', 'protocol']);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});

describe('codes of authentication', () => {
  test('AES-CMAC of RFC 4493', () => {
    const rfc = Buffer.from('2b7e151628aed2a6abf7158809cf4f3c', 'hex');
    expect(macOf('AES-128', rfc, Buffer.from('6bc1bee22e409f96e93d7e117393172a', 'hex')).toString('hex')).toBe(
      '070a16b46b4d4144',
    );
  });

  test('the retail MAC of the worked example of 9303-11', () => {
    const macKey = Buffer.from('7962d9ece03d1acd4c76089dce131543', 'hex');
    const cryptogram = Buffer.from('72c29c2371cc9bdb65b779b8e8d37b29ecc154aa56a8799fae2f498f76ed92f2', 'hex');
    expect(macOf('3DES', macKey, pad(cryptogram, 8)).toString('hex')).toBe('5f1448eea8ad90a7');
  });
});
