import { randomInt } from 'node:crypto';
import { MARK } from './search.ts';

/* A person in whose every field the mark stands. */

export const marked = (name: string): string => `${MARK}${name}`;

export const headers = {
  'user-agent': marked('useragent'),
  'x-device-id': marked('device'),
  'x-forwarded-for': marked('forwarded'),
  referer: `https://client.example/${marked('referer')}`,
  cookie: `who=${marked('cookie')}`,
  'tenant-role': marked('role'),
  'x-whatever': marked('header'),
  baggage: `who=${marked('baggage')}`,
};
let nth = 0;
export const withKey = (name: string) => ({ ...headers, 'Idempotency-Key': `${marked(name)}-${nth++}` });

/** A JPEG with a comment segment. */
export const commented = (image: Buffer, text: string): Buffer => {
  const comment = Buffer.from(text);
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(comment.length + 2, 2);
  return Buffer.concat([image.subarray(0, 2), head, comment, image.subarray(2)]);
};

export const creation = {
  context: [
    { key: 'BUSINESS_ID', value: marked('business') },
    { key: 'CORRELATION_ID', value: marked('correlation') },
    { key: 'PREVIOUS_PROOF_ID', value: marked('previousproof') },
    { key: marked('contextkey'), value: marked('contextvalue') },
  ],
  email: `${marked('created')}@mail.example`,
  mobile: marked('mobile'),
  landline: marked('landline'),
  language: marked('language'),
  username: marked('username'),
  [marked('member')]: marked('value'),
};

export const personalAttributes = (name: string) => ({
  dateOfBirth: { value: '1974-08-12' },
  givenNames: [{ value: marked(`${name}given`) }, { value: marked(`${name}middle`) }],
  surname: { value: marked(`${name}surname`) },
  fullname: { value: marked(`${name}full`) },
  height: { value: marked(`${name}height`) },
  eyeColor: { value: marked(`${name}eyes`) },
  [marked('member')]: marked('value'),
});
export const address = (name: string) => ({
  streetDetails: { streetLines: [marked(`${name}street1`), marked(`${name}street2`)] },
  city: marked(`${name}city`),
  state: marked(`${name}state`),
  postcode: marked(`${name}postcode`),
});
export const licence = (name: string, country: 'USA' | 'AUS', state: string) => ({
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: marked(`${name}number`),
  issuingCountry: country,
  issuingState: state,
  expiryDate: '2035-08-12',
  cardNumber: marked(`${name}card`),
  personalAttributes: personalAttributes(name),
  address: address(name),
  [marked('member')]: marked('value'),
});
export const healthCard = {
  cardNumber: marked('health'),
  cardType: 'G',
  expiryDate: '2035-01-01',
  personalAttributes: { fullname: { value: marked('healthname') }, dateOfBirth: { value: '1974-08-12' } },
  fullname2: marked('health2'),
  fullname3: marked('health3'),
  fullname4: marked('health4'),
};
export const captureDetails = {
  jurisdiction: 'UTO',
  documentType: 'PASSPORT',
  source: 'SCAN',
  channel: 'webSDK',
  deviceModel: marked('model'),
  osType: marked('ostype'),
  osVersion: marked('osversion'),
  deviceInfo: { browserName: marked('browser'), deviceModel: marked('device'), sdkInfo: marked('sdk') },
  sdkInfo: { sdkVersion: marked('sdkversion') },
  [marked('member')]: marked('value'),
};

/** The mark of a telephone number, which has no letters. A code goes to each number once. */
const DIGITS = String(randomInt(10 ** 9)).padStart(9, '0');
export const NUMBER = `+49 170 ${DIGITS}`;
export const NUMBER_DIALLED = `+49170${DIGITS}`;
export const NUMBERS = [NUMBER, NUMBER_DIALLED.slice(1)];
