import { table } from '@assay/contracts/table';
import { PORTRAIT_FAULTS } from '@assay/contracts/words';

/**
 * The reasons a person can do something about, or should know; each has a sentence in every
 * language.
 */
const REASONS = table<readonly string[]>({
  format: ['1500'],
  tooLarge: ['1505', '4130'],
  expired: ['1501'],
  type: ['1502'],
  refused: ['1504', '1580', '1582', '1585'],
  unreadable: ['1506', '1530', '1560'],
  side: ['1508'],
  sameSide: ['1587'],
  swapped: ['1588'],
  issuer: ['1510', '1537'],
  dark: ['1531'],
  glare: ['1532'],
  blur: ['1533'],
  damaged: ['1534'],
  cut: ['1535', '1543'],
  several: ['1536', '1538'],
  angle: ['1539'],
  near: ['1540'],
  far: ['1541'],
  barcode: ['1542'],
  face: ['1570'],
  mismatch: ['1571', '1573'],
  chip: ['1615', '1616'],
  undecided: ['1581', '1583', '1584'],
  tooLate: ['1590'],
  consent: ['3001'],
  field: ['1006'],
  codeExpired: ['4300', '4303'],
  codeWrong: ['4301'],
  codeLocked: ['4302'],
  codesUsedUp: ['4304'],
  busy: ['4290', '5030', '4091'],
  slow: ['4080'],
});
const BY_CODE = new Map(Object.entries(REASONS).flatMap(([reason, codes]) => codes.map((code) => [code, reason])));

const PORTRAIT_REASONS = Object.entries(PORTRAIT_FAULTS).map(([name, { what }]) => ({ name: `face.${name}`, what }));

export const REASON_NAMES = [...Object.keys(REASONS), ...PORTRAIT_REASONS.map(({ name }) => name), 'other'];

interface ShownError {
  code: string;
  message?: string;
}

/** What exactly is wrong with a face is in the message; the code says only that something is. */
const reasonsOfOne = ({ code, message = '' }: ShownError): string[] => {
  const reason = BY_CODE.get(code);
  if (reason !== 'face') return reason === undefined ? [] : [reason];
  const named = PORTRAIT_REASONS.filter(({ what }) => message.includes(what)).map(({ name }) => name);
  return named.length > 0 ? named : [reason];
};

/** The reasons of error objects, each once; `other` where no code says more. */
export const reasonsOf = (errors: readonly ShownError[] | undefined): string[] => {
  const found = [...new Set((errors ?? []).flatMap(reasonsOfOne))];
  return found.length > 0 ? found : ['other'];
};

interface ShownRefusal {
  status: number;
  errors: readonly ShownError[];
}

/** The reasons of a refusal. A proxy refuses what is too large without an error object. */
export const reasonsOfRefusal = ({ status, errors }: ShownRefusal): string[] =>
  status === 413 && errors.length === 0 ? ['tooLarge'] : reasonsOf(errors);

/** The reason of a call that was refused or, with status 0, not answered. */
export const reasonOfRefusal = (refusal: ShownRefusal): string =>
  refusal.status === 0 ? 'slow' : reasonsOfRefusal(refusal)[0]!;

/** The person took the agreement back that this call needs. */
export const lacksAgreement = ({ errors }: { errors: readonly { code: string }[] }): boolean =>
  errors.some(({ code }) => code === '3001');

/** There is nothing yet that a selfie can be compared with. */
export const waitsForDocument = (errors: readonly { code: string }[] | undefined): boolean =>
  (errors ?? []).some(({ code }) => code === '1572');
