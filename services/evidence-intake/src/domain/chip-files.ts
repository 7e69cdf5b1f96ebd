import type { ChipAuthenticationReply, ChipDataRequest } from '@assay/contracts';

/** One file of a chip as the reader sent it. */
export interface ChipFile {
  name: string;
  bytes: Buffer;
}

const OTHERS = {
  documentSecurityObject: 'sod',
  comFile: 'com',
  cardAccess: 'card-access',
  cardSecurity: 'card-security',
} as const;

/** Fingerprints and irises are refused; so is a number that no data group has. */
const isTaken = (number: string): boolean => /^([1-9]|1[0-6])$/.test(number) && number !== '3' && number !== '4';

/** The portrait's data group: stored only where the person consented to what is done with it. */
export const PORTRAIT_FILE = 'dg2';

/** The reader failed: it sends the reason, and nothing to check. */
export const gaveUp = ({ errors, documentSecurityObject, dataGroups }: ChipDataRequest): boolean =>
  errors !== undefined &&
  errors.length > 0 &&
  documentSecurityObject === undefined &&
  Object.keys(dataGroups ?? {}).length === 0;

/** The field that is refused, and the reason; undefined if the data can be checked. */
export const whyRefused = (request: ChipDataRequest): { field: string; message: string } | undefined => {
  const groups = Object.keys(request.dataGroups ?? {});
  const refused = groups.find((number) => !isTaken(number));
  if (refused !== undefined)
    return { field: `dataGroups.${refused.slice(0, 8)}`, message: 'is none of the data groups 1, 2 and 5 to 16' };
  if (request.documentSecurityObject === undefined) return { field: 'documentSecurityObject', message: 'is missing' };
  return groups.includes('1') ? undefined : { field: 'dataGroups.1', message: 'is missing' };
};

/** The files of a chip in base64, by name. */
const sentFiles = (request: ChipDataRequest): (readonly [name: string, base64: string])[] => [
  ...Object.entries(OTHERS).flatMap(([field, name]) => {
    const sent = request[field as keyof typeof OTHERS];
    return sent === undefined ? [] : [[name, sent] as const];
  }),
  ...Object.entries(request.dataGroups ?? {}).map(([number, sent]) => [`dg${number}`, sent] as const),
];

export const namesOf = (request: ChipDataRequest): string[] => sentFiles(request).map(([name]) => name);

/** The files of a chip, byte for byte as they were sent. */
export const filesOf = (request: ChipDataRequest): ChipFile[] =>
  sentFiles(request).map(([name, base64]) => ({ name, bytes: Buffer.from(base64, 'base64') }));

const JPEG = Buffer.from('ffd8ff', 'hex');
const JPEG_END = Buffer.from('ffd9', 'hex');

/**
 * Where a JPEG begins that may be the portrait in data group 2: its first one, which ends the file.
 * Only the worker knows, for nothing is decoded beside the keys.
 */
export const portraitAt = (dataGroup2: Buffer): number | undefined => {
  const at = dataGroup2.indexOf(JPEG);
  return at >= 0 && dataGroup2.subarray(at).subarray(-JPEG_END.length).equals(JPEG_END) ? at : undefined;
};

/** What the chip was asked: the challenge, and the data sent for chip authentication. Base64. */
export interface Asked {
  challenge: string;
  authentication?: ChipAuthenticationReply;
}

/** The challenge and the answers, each as a file beside those of the chip. */
export const answersOf = ({ challenge, authentication }: Asked, request: ChipDataRequest): ChipFile[] => {
  const { activeAuthenticationResponse, chipAuthentication } = request;
  const exchanged = {
    challenge,
    'active-authentication': activeAuthenticationResponse,
    'chip-authentication-key': authentication?.terminalPublicKey,
    'chip-authentication-command': authentication?.command,
    'chip-authentication-response': authentication && chipAuthentication?.response,
  };
  return Object.entries(exchanged).flatMap(([name, sent]) =>
    sent === undefined ? [] : [{ name, bytes: Buffer.from(sent, 'base64') }],
  );
};
