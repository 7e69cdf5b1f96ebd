/** Where the next element begins, or the text ends. */
const END = String.raw`(?=D[A-D][A-Z]|Z[A-Z]|\s*$)`;
const whole = (value: string): RegExp => new RegExp(`^(${value})${END}`);

const DAY = /^(\d{8}|NONE)/;
const FIRST_STREET = /^(\d|P|[A-Z]{1,2}\d|(ONE|RR|RT|RTE|HC|RURAL|COUNTY|HWY|HIGHWAY|LOT|UNIT|APT)\b)/;
const SECOND_STREET =
  /^(\d|#|P ?O|C\/O|(APT|APARTMENT|UNIT|STE|SUITE|LOT|RM|ROOM|FL|FLOOR|BLDG|BUILDING|TRLR|SPC|NONE)(?![A-CE-Z]))/;
const SUFFIX = whole(String.raw`(JR|SR|ESQ|[IVX]{1,4}|[1-9](ST|ND|RD|TH)|NONE|UNAVL|UNK)[.,\s]*`);

/**
 * The form of a value. In text without separators, an id counts only if its value has this form:
 * many ids are within names and streets (JUDAH, WOODCUTTER, GOODCHILD).
 */
const FORMS: readonly (readonly [ids: RegExp, value: RegExp])[] = [
  [/^DBA/, /^(\d{8}|NONE|INDEF|NON[ -]?EXP|NEVER)/],
  [/^DB[BD]|^DD[BCHIJ]/, DAY],
  [/^DBC/, /^[1290MFX](D|Z|\s*$)/],
  [/^DB[E-S]/, /^\d/],
  [/^DAJ/, /^[A-Z]{2}(D|\s*$)/],
  [/^DAK/, /^(\d{5}|[A-Z]\d[A-Z])/],
  [/^DAU/, /^\s*\d/],
  [/^DAV/, whole(String.raw`\s*\d{2,3}\s*(cm|CM)?\s*`)],
  [/^DA[WX]/, whole(String.raw`\s*\d{2,3}\s*`)],
  [/^DAY/, /^[A-Z]{3}(D|Z|\s*$)/],
  [/^DAZ/, whole('(BAL|BLK|BLN|BRO|GRY|RED|SDY|WHI|UNK|NONE)\\s*')],
  [/^DCE/, whole(String.raw`\d\s*`)],
  [/^DCG/, /^(USA|CAN)/],
  [/^DCH/, whole(String.raw`NONE\s*`)],
  [/^DCL/, whole(String.raw`(AI|AP|BK|H|O|U|W)\s*`)],
  [/^DCU/, SUFFIX],
  [/^DD[EFG]/, /^[TNU](D|Z|\s*$)/],
  [/^DDA/, /^[FNM](D|Z|\s*$)/],
  [/^DD[DKL]/, /^\d/],
  [/^DAG/, FIRST_STREET],
  [/^DAH/, SECOND_STREET],
  [/^DAQ/, /^[A-Z0-9*-]+/],
  [/^D(AA|AC|AD|AI|CA|CB|CD|CF|CJ|CK|CM|CN|CP|CQ|CS|CT)/, /^[^\s]/],
];

/** The first version: names and the home in elements of their own, and no element of DC or DD. */
const FIRST_VERSION: typeof FORMS = [
  [/^DAB/, /^[^\s]/],
  [/^DAE/, SUFFIX],
  [/^DAL/, FIRST_STREET],
  [/^DAM/, SECOND_STREET],
  [/^DAN/, /^[A-Z]/],
  [/^DAO/, /^[A-Z]{2}(D|\s*$)/],
  [/^DAP/, /^(\d{5}|[A-Z]\d[A-Z])/],
  [/^DA[ACDI]/, /^[^\s]/],
  ...FORMS.filter(([ids]) => /^\^D[AB]/.test(ids.source)),
];

/** No name or number begins with such an element: what is before it is empty. */
const isSure = (id: string, rest: string): boolean => id.startsWith('DD') || (/^DB[ABD]/.test(id) && DAY.test(rest));

/** Whether a name was truncated, in front of another element. */
const MARK = /^DD[EFG][TNU](?=D[A-D][A-Z]|\s*$)/;

/** Letters of a name in front of such a mark, as in MADDEN and EDDA. */
const isBeforeMark = (text: string): boolean => {
  const isMark = MARK.test(text);
  if (isMark) return text.startsWith(text.slice(0, 3), 4);
  return [1, 2].some((by) => MARK.test(text.slice(by)));
};

/** What other elements have to be around this one, or must not be: HADDAD, VAN DAALEN, JORDAN. */
const isDue = (id: string, rest: string, seen: ReadonlySet<string>, last: string | undefined): boolean => {
  if (id === 'DAA') return !seen.has('DCS') && !seen.has('DAB');
  if (id === 'DAD') return seen.has('DAC') && !rest.startsWith('DDF');
  return id !== 'DAN' || last === 'DAL' || last === 'DAM';
};

/** An empty element that had no form of its own stays behind the value before it. */
const withoutEmpty = (piece: string): string => piece.replace(/DCU$/, '').replace(/^(DAG.*)DAH$|^(DAL.*)DAM$/s, '$1$2');

/**
 * Elements of text without separators: an id counts once, if its value has the right form, and
 * directly after another id only if nothing else can be meant.
 */
export const splitByForm = (body: string, version: number): string[] => {
  const isFirst = version < 2 && !body.includes('DCS');
  const forms = isFirst ? FIRST_VERSION : FORMS;
  const starts: number[] = [];
  const seen = new Set<string>();
  for (let i = 0; i + 3 <= body.length; i++) {
    const id = body.slice(i, i + 3);
    const rest = body.slice(i + 3);
    const form = forms.find(([ids]) => ids.test(id));
    if (!form || seen.has(id) || !form[1].test(rest)) continue;
    const last = starts.at(-1);
    const isNext = last !== undefined && i - last < 4;
    if ((isNext && !isSure(id, rest)) || (!isFirst && isBeforeMark(body.slice(i)))) continue;
    if (!isDue(id, rest, seen, last === undefined ? undefined : body.slice(last, last + 3))) continue;
    starts.push(i);
    seen.add(id);
    i += 2;
  }
  return starts.map((start, n) => withoutEmpty(body.slice(start, starts[n + 1])));
};
