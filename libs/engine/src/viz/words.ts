import { isLabel } from './labels.ts';
import { lettersOf, type Spelling } from './letters.ts';
import { UNREAD } from './unread.ts';

/** What may stand glued to a value because the recogniser dropped the blank. */
export const LABELS = new Set(
  `LN FN DLN DL NO NR NUM ID NAME NAMES SURNAME SURNAMES NOM NOMS PRENOM PRENOMS APELLIDO APELLIDOS NOMBRE NOMBRES GIVENNAME
  GIVENNAMES FIRSTNAME FIRSTNAMES LASTNAME FAMILYNAME VORNAME VORNAMEN NACHNAME COGNOME NOME NUMBER NUMERO DOCUMENTNO
  PASSPORTNO LICENCENO LICENSENO CARDNO CARDNUMBER LICENCENUMBER LICNO MR MRS MS MISS DR 1 2 4D 4DDLN 4DLN 1LN 2FN 5 DD`.split(
    /\s+/,
  ),
);

/** Words of labels that stand beside a name, apart from it. */
const LABEL_WORDS = new Set(
  `GIVEN FIRST LAST FAMILY FORENAME FORENAMES FAMILIENNAME ACHTERNAAM VOORNAMEN EFTERNAMN EFTERNAVN ETTERNAVN FORNAVN
  FORNAMN SUKUNIMI ETUNIMET PEREKONNANIMI EESNIMI EESNIMED UZVARDS VARDS PAVARDE VARDAS NAZWISKO IMIE IMIONA PRIJMENI JMENO
  PRIEZVISKO MENO PREZIME PRIIMEK NUME PRENUME APELIDO APELIDOS APELYIDO SOYADI NAMA`.split(/\s+/),
);

/** Whether letters are another expected value. */
export type Known = (run: string) => boolean;

interface Word {
  from: number;
  letters: string;
}

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    from: index,
    letters: lettersOf(word, false).letters.replaceAll(UNREAD, ''),
  }));

/** A word of a name: letters alone, at least two. */
const isName = (letters: string): boolean => /^[A-Z]{2,}$/.test(letters);

const hasForeign = (text: string, known: Known): boolean =>
  !isLabel(text) &&
  wordsIn(text).some(
    ({ letters }) => isName(letters) && !LABELS.has(letters) && !LABEL_WORDS.has(letters) && !known(letters),
  );

/** Whether a line has a whole word before or behind a value that is neither label nor value. */
export const hasFurtherWord = (before: string, behind: string, known: Known): boolean =>
  hasForeign(before, known) || hasForeign(behind, known);

/**
 * The part of a line that says the names as far as both go: a zone may have the initial of a later
 * name, and a licence's front may print later names of its barcode with theirs, or not at all.
 */
export const shortenedIn = (
  text: string,
  names: readonly string[],
  { same, unknown: isZone }: Spelling,
  known: Known,
): string | undefined => {
  const [first = '', ...later] = names.map(same);
  if (first.length < 2 || later.length === 0) return undefined;
  const inZone = (name: string) => (name.length === 1 ? `${name}[A-Z]*` : name);
  const onFront = (name: string) => `(${name}|${name[0]})?`;
  const pattern = new RegExp(`^(.*?)${first}${later.map(isZone ? inZone : onFront).join('')}$`);
  for (const { from } of wordsIn(text)) {
    const { letters, at } = lettersOf(text.slice(from), false);
    const label = letters.slice(0, pattern.exec(same(letters))?.[1]?.length);
    if (label === letters || (label !== '' && !LABELS.has(label)) || hasForeign(text.slice(0, from), known)) continue;
    return Array.from(text.slice(from)).slice(at[label.length]).join('').trim();
  }
  return undefined;
};
