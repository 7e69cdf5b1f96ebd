import { randomBytes } from 'node:crypto';
import { attempt } from '../errors.ts';
import { hash } from '../keys/digests.ts';
import { readDataGroup14 } from '../lds/security-infos.ts';
import { agree, type Randomness } from './key-agreement.ts';
import { protectedSelect, responseIsRight } from './secure-messaging.ts';
import { type Cipher, selectProtocol } from './select.ts';
import { deriveSessionKeys } from './session-keys.ts';

/**
 * What the server stores until the answer arrives. It is secret: whoever has it can make the
 * answer. It is plain JSON, to be sealed when stored. It contains neither the private key nor the
 * encryption key, since neither is needed again.
 */
export interface ChipAuthenticationState {
  readonly protocol: string;
  readonly cipher: Cipher;
  /** Base64. */
  readonly macKey: string;
  readonly command: string;
  /** The hash of the data group 14 whose key was used, in hexadecimal. */
  readonly dataGroup14: string;
}

/** What the reader is given, and what the server stores. */
export interface ChipAuthenticationStart {
  readonly protocol: string;
  readonly keyId?: number;
  /** The server's point, 04||x||y. */
  readonly terminalPublicKey: Buffer;
  /** The first protected command, which the reader sends to the chip as its last exchange. */
  readonly command: Buffer;
  readonly state: ChipAuthenticationState;
}

const DATA_GROUP_14 = Buffer.from('010e', 'hex');

/**
 * What data group 14 offers, as plain data: so one process can read the file and another can draw
 * the key.
 */
export interface ChipKey {
  readonly protocol: string;
  readonly cipher: Cipher;
  readonly keyId?: number;
  readonly curve: string;
  readonly point: Uint8Array;
  /** The hash of the file, in hexadecimal. */
  readonly dataGroup14: string;
}

/**
 * Reads the key that chip authentication begins with. Throws UNSUPPORTED if the file offers none
 * that we support, MALFORMED if it does not parse.
 */
export const readChipKey = (dataGroup14: Uint8Array): ChipKey => {
  const { protocol, cipher, keyId, key } = selectProtocol(readDataGroup14(dataGroup14));
  const { curve = '', point } = key;
  return {
    protocol,
    cipher,
    ...(keyId === undefined ? {} : { keyId }),
    curve,
    point,
    dataGroup14: hash('sha256', dataGroup14).toString('hex'),
  };
};

/**
 * Begins chip authentication with a key that was read before. It parses nothing from the chip, and
 * checks that the key's point is on its curve.
 */
export const beginWithChipKey = (
  { protocol, cipher, keyId, curve, point, dataGroup14 }: ChipKey,
  { randomness = randomBytes }: { readonly randomness?: Randomness } = {},
): ChipAuthenticationStart => {
  const { publicKey, secret } = agree({ curve, point }, randomness);
  const keys = deriveSessionKeys(cipher, secret);
  const command = protectedSelect(cipher, keys, DATA_GROUP_14);
  return {
    protocol,
    ...(keyId === undefined ? {} : { keyId }),
    terminalPublicKey: publicKey,
    command,
    state: {
      protocol,
      cipher,
      macKey: keys.mac.toString('base64'),
      command: command.toString('base64'),
      dataGroup14,
    },
  };
};

/**
 * Begins chip authentication with the key in data group 14. Throws UNSUPPORTED if it offers none
 * that we support, MALFORMED if it does not parse.
 */
export const beginChipAuthentication = (
  dataGroup14: Uint8Array,
  options: { readonly randomness?: Randomness } = {},
): ChipAuthenticationStart => beginWithChipKey(readChipKey(dataGroup14), options);

/** Whether this is the data group 14 with which the authentication began. */
export const startedWith = ({ dataGroup14 }: ChipAuthenticationState, bytes: Uint8Array): boolean =>
  dataGroup14 === hash('sha256', bytes).toString('hex');

/**
 * Whether the chip's answer to our command has the right MAC, which needs the private key of data
 * group 14. Bytes that are no protected answer are wrong.
 */
export const checkChipAnswer = ({ cipher, macKey }: ChipAuthenticationState, response: Uint8Array): boolean =>
  attempt(() => responseIsRight(cipher, Buffer.from(macKey, 'base64'), response)).value ?? false;
