import type { Known } from './words.ts';

/**
 * What the recogniser, which knows Latin letters alone, makes of the Cyrillic and Greek letters
 * that stand for a letter of a zone, or for several (9303-3). Longer ones come first.
 */
const SEEN_AS: readonly (readonly [zone: string, read: string])[] = [
  ['SHCH', 'W'],
  ['ZH', 'XK'],
  ['KH', 'X'],
  ['TS', 'UL'],
  ['CH', '4YHX'],
  ['SH', 'W'],
  ['YU', 'OKD'],
  ['IU', 'OKD'],
  ['YA', 'RA'],
  ['IA', 'RA'],
  ['YE', 'EC'],
  ['IE', 'EC'],
  ['TH', 'O'],
  ['PS', 'Y'],
  ['A', 'A'],
  ['B', 'B6'],
  ['C', 'UL'],
  ['D', 'AD4'],
  ['E', 'E3'],
  ['F', 'ODP'],
  ['G', 'TFL'],
  ['H', 'TFLX'],
  ['I', 'INWMVUH'],
  ['J', 'NWVJ'],
  ['K', 'K'],
  ['L', 'NJAMT'],
  ['M', 'M'],
  ['N', 'H'],
  ['O', 'O'],
  ['P', 'NTMH'],
  ['R', 'P'],
  ['S', 'CEZ'],
  ['T', 'T'],
  ['U', 'Y'],
  ['V', 'B'],
  ['X', 'E'],
  ['Y', 'NWMVUIY'],
  ['Z', '3'],
];
/** One letter in so many may be read otherwise. */
const ONE_IN = 5;
/** Fewer letters are like others too often. */
const SHORTEST = 3;

/** By how many letters print differs from the name in the other script. */
const differences = (name: string, print: string): number => {
  const rows = [Array.from({ length: print.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= name.length; i++) {
    const ending = SEEN_AS.filter(([zone]) => name.slice(0, i).endsWith(zone));
    const row = [i];
    for (let j = 1; j <= print.length; j++) {
      const above = rows[i - 1]!;
      const seen = ending
        .filter(([, read]) => read.includes(print[j - 1]!))
        .map(([zone]) => rows[i - zone.length]![j - 1]!);
      row.push(Math.min(above[j - 1]! + 1, above[j]! + 1, row[j - 1]! + 1, ...seen));
    }
    rows.push(row);
  }
  return rows.at(-1)!.at(-1)!;
};

/** A slash behind the name may be read as a letter. */
const SLASH = /[IL]$/;

/** The states that print names in Cyrillic or Greek, too. With others such letters are Latin. */
const STATES = new Set('BGR BIH BLR CYP GRC KAZ KGZ MKD MNE MNG RUS SRB TJK UKR'.split(' '));

/**
 * Whether letters are one of the names in Cyrillic or Greek, as passports of some states print it
 * before the Latin one: NETPEHKO is ПЕТРЕНКО.
 */
export const inOtherScript = (names: readonly string[], issuingState: string | undefined): Known => {
  if (!STATES.has(issuingState ?? '')) return () => false;
  const long = names.filter((name) => name.length >= SHORTEST);
  const isLike = (print: string) => long.some((name) => differences(name, print) * ONE_IN <= name.length);
  return (run) => isLike(run) || isLike(run.replace(SLASH, ''));
};
