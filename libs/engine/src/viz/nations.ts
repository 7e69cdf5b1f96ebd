import countries from 'i18n-iso-countries';
import czech from 'i18n-iso-countries/langs/cs.json' with { type: 'json' };
import danish from 'i18n-iso-countries/langs/da.json' with { type: 'json' };
import german from 'i18n-iso-countries/langs/de.json' with { type: 'json' };
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import spanish from 'i18n-iso-countries/langs/es.json' with { type: 'json' };
import estonian from 'i18n-iso-countries/langs/et.json' with { type: 'json' };
import finnish from 'i18n-iso-countries/langs/fi.json' with { type: 'json' };
import french from 'i18n-iso-countries/langs/fr.json' with { type: 'json' };
import croatian from 'i18n-iso-countries/langs/hr.json' with { type: 'json' };
import hungarian from 'i18n-iso-countries/langs/hu.json' with { type: 'json' };
import italian from 'i18n-iso-countries/langs/it.json' with { type: 'json' };
import lithuanian from 'i18n-iso-countries/langs/lt.json' with { type: 'json' };
import latvian from 'i18n-iso-countries/langs/lv.json' with { type: 'json' };
import dutch from 'i18n-iso-countries/langs/nl.json' with { type: 'json' };
import polish from 'i18n-iso-countries/langs/pl.json' with { type: 'json' };
import portuguese from 'i18n-iso-countries/langs/pt.json' with { type: 'json' };
import romanian from 'i18n-iso-countries/langs/ro.json' with { type: 'json' };
import slovak from 'i18n-iso-countries/langs/sk.json' with { type: 'json' };
import slovenian from 'i18n-iso-countries/langs/sl.json' with { type: 'json' };
import swedish from 'i18n-iso-countries/langs/sv.json' with { type: 'json' };
import turkish from 'i18n-iso-countries/langs/tr.json' with { type: 'json' };
import { alpha3 } from '../mrz/states.ts';
import { fold } from './letters.ts';

const LANGUAGES = [
  ...[czech, danish, german, english, spanish, estonian, finnish, french, croatian, hungarian, italian],
  ...[lithuanian, latvian, dutch, polish, portuguese, romanian, slovak, slovenian, swedish, turkish],
];

/**
 * The first letters of a country's name are mostly those of its nationality too: FRANCE, FRANÇAISE.
 */
const STEM = 5;

/** Their people have the nationality of another state. */
const TERRITORIES = new Set(
  `AIA ABW ASM BMU BLM BVT CCK COK CUW CXR CYM FLK FRO GGY GIB GLP GRL GUF GUM HKG IMN JEY MAC MAF MNP MSR MTQ MYT NCL
  NFK NIU PCN PRI PYF REU SHN SJM SPM SXM TCA TKL UMI VGB VIR WLF`.split(/\s+/),
);

const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^A-Z]+/)
    .filter((word) => word.length >= STEM);

interface Nation {
  code: string;
  /** Stems of its names that are one word. */
  alone: ReadonlySet<string>;
  /** Stems of all words of its names. */
  all: ReadonlySet<string>;
}

const stemsOf = (names: readonly string[]): Set<string> =>
  new Set(names.flatMap(wordsOf).map((word) => word.slice(0, STEM)));

const NATIONS: readonly Nation[] = Object.keys(countries.getAlpha2Codes()).flatMap((alpha2) => {
  const code = countries.alpha2ToAlpha3(alpha2);
  const names = LANGUAGES.flatMap((language) => {
    const all: Record<string, string | string[]> = language.countries;
    return all[alpha2] ?? [];
  });
  const single = names.filter((name) => /^[\p{L}\p{M}]+$/u.test(name));
  return code ? [{ code, alone: stemsOf(single), all: stemsOf(names) }] : [];
});

/**
 * The state whose nationality a text says in words, where that is surely another one than expected:
 * its name begins as no other one's does, and no word is in a name of the expected state.
 */
export const otherNation = (text: string, expected: string): string | undefined => {
  const own = NATIONS.find(({ code }) => code === alpha3(expected));
  const stems = wordsOf(text).map((word) => word.slice(0, STEM));
  if (!own || stems.some((stem) => own.all.has(stem))) return undefined;
  const named = stems.map((stem) => NATIONS.filter(({ alone }) => alone.has(stem)));
  const [only, ...others] = [...new Set(named.filter((some) => some.length === 1).flat())];
  return only && others.length === 0 && !TERRITORIES.has(only.code) ? only.code : undefined;
};
