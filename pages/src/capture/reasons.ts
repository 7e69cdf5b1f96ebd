/**
 * The reasons a person can do something about, or should know; each has a sentence in every
 * language.
 */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  format: ['1500'],
  tooLarge: ['1505'],
  expired: ['1501'],
  type: ['1502'],
  refused: ['1504', '1580', '1582', '1585'],
  unreadable: ['1506', '1530', '1560'],
  side: ['1508'],
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
  busy: ['4290', '5030', '4091'],
};
const BY_CODE = new Map(Object.entries(REASONS).flatMap(([reason, codes]) => codes.map((code) => [code, reason])));

export const REASON_NAMES = [...Object.keys(REASONS), 'other'];

/** The reasons of error objects, each once; `other` where no code says more. */
export const reasonsOf = (errors: readonly { code: string }[] | undefined): string[] => {
  const found = [...new Set((errors ?? []).flatMap(({ code }) => BY_CODE.get(code) ?? []))];
  return found.length > 0 ? found : ['other'];
};

/** There is nothing yet that a selfie can be compared with. */
export const waitsForDocument = (errors: readonly { code: string }[] | undefined): boolean =>
  (errors ?? []).some(({ code }) => code === '1572');
