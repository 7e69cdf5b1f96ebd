import {
  ERRORS,
  type ErrorName,
  INDICATOR_NAMES,
  type IndicatorName,
  type IndicatorStatus,
  TRUST_LEVELS,
} from '@assay/contracts';
import { type Policy, shippedPolicies } from '@assay/policy';
import type { Entry } from './entry.ts';
import { ERROR_ORIGINS } from './errors.ts';
import { INDICATORS_OF_DOCUMENTS } from './indicators-of-documents.ts';
import { INDICATORS_OF_OTHERS } from './indicators-of-others.ts';
import { EVIDENCES, LEVELS, OPERATIONS, PARTICIPANTS, type Word } from './vocabulary.ts';

export const INDICATORS: Record<IndicatorName, Entry> = { ...INDICATORS_OF_DOCUMENTS, ...INDICATORS_OF_OTHERS };

/** One line of the catalogue. */
export interface Row {
  kind: string;
  name: string;
  meaning: string;
  /** The file that raises it; absent where nothing does. */
  in?: string;
  /** How the file spells it. */
  as?: string;
  raised: string;
  states: string;
  errs: string;
}

const NOTHING = 'none: not produced';
const EXACT = 'does not apply: it is no measurement';
const notProduced = (why: string): string => `declared by the specification, not produced: ${why}`;

const indicatorRow = (kind: string, name: IndicatorName): Row => {
  const entry = INDICATORS[name];
  if ('why' in entry)
    return { kind, name, meaning: entry.meaning, raised: notProduced(entry.why), states: NOTHING, errs: NOTHING };
  const states = entry.states.length ? entry.states.map((state) => `_${state}`).join(' ') : 'none: its name says it';
  return {
    kind,
    name,
    meaning: entry.meaning,
    in: entry.in,
    as: entry.as ?? name,
    raised: `\`${entry.in}\``,
    states,
    errs: entry.errs,
  };
};

const policiesThatName = (error: ErrorName): string[] =>
  shippedPolicies()
    .list()
    .filter((policy) => JSON.stringify(policy).includes(`"${error}"`))
    .map(({ name }) => name);

const errorRow = (name: ErrorName): Row => {
  const origin = ERROR_ORIGINS[name];
  const { code, title, ...rest } = ERRORS[name];
  const states = 'status' in rest ? `HTTP ${rest.status}` : 'in the errors of an evidence';
  const row = { kind: 'error', name: `${code} ${name}`, meaning: title, states, errs: EXACT };
  if ('why' in origin) return { ...row, raised: notProduced(origin.why), states: NOTHING, errs: NOTHING };
  if ('policies' in origin) return { ...row, raised: `policies ${policiesThatName(name).join(', ')}` };
  return { ...row, in: origin.in, as: name, raised: `\`${origin.in}\`` };
};

const wordRows = (kind: string, words: Readonly<Record<string, Word>>): Row[] =>
  Object.entries(words).map(([name, word]) =>
    'why' in word
      ? { kind, name, meaning: word.meaning, raised: notProduced(word.why), states: NOTHING, errs: NOTHING }
      : {
          kind,
          name,
          meaning: word.meaning,
          in: word.in,
          as: name,
          raised: `\`${word.in}\``,
          states: word.states,
          errs: EXACT,
        },
  );

/** The policies that give a level to anything, by a rule that can hold. */
const policiesThatScore = (level: string): string[] =>
  shippedPolicies()
    .list()
    .filter(({ kinds }) =>
      Object.values(kinds).some(({ scores }) =>
        scores.some(({ score, when }) => score === level && (when.all ?? []).every(canCome)),
      ),
    )
    .map(({ name }) => name);

const levelRows = (): Row[] =>
  TRUST_LEVELS.map((level) => {
    const by = policiesThatScore(level);
    const row = { kind: 'score level', name: level, meaning: LEVELS[level] };
    return by.length
      ? { ...row, raised: `policies ${by.join(', ')}`, states: 'score of a VERIFIED evidence', errs: EXACT }
      : { ...row, raised: notProduced('no rule of a policy gives it'), states: NOTHING, errs: NOTHING };
  });

/** Every indicator that can come, with its state. */
const producible: readonly string[] = (Object.entries(INDICATORS) as [IndicatorName, Entry][]).flatMap(
  ([name, entry]) => ('why' in entry ? [] : entry.states.map((state: IndicatorStatus) => `${name}_${state}`)),
);

const fits = (pattern: string, indicator: string): boolean =>
  new RegExp(`^${pattern.replaceAll('*', '[A-Z0-9_]+')}$`).test(indicator);
export const canCome = (pattern: string): boolean => producible.some((indicator) => fits(pattern, indicator));

const IS_INDICATOR = /^[A-Z0-9*_]+_(OK|WARNING|FAILED|UNVERIFIED|VERIFIED)$/;

const patternsIn = (part: unknown): string[] => {
  if (typeof part === 'string') return IS_INDICATOR.test(part) && part !== 'NOT_VERIFIED' ? [part] : [];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(patternsIn) : [];
};

/** What a policy names and nothing raises, each once. */
export const neverComing = ({ kinds }: Policy): string[] =>
  [...new Set(patternsIn(kinds))].filter((pattern) => !canCome(pattern)).sort();

/** Every row of the catalogue, by kind. */
export const rows = (): Row[] => [
  ...Object.entries(INDICATOR_NAMES).flatMap(([group, names]) =>
    (names as readonly IndicatorName[]).map((name) => indicatorRow(`indicator, ${group}`, name)),
  ),
  ...(Object.keys(ERRORS) as ErrorName[]).map(errorRow).sort((a, b) => a.name.localeCompare(b.name)),
  ...wordRows('operation', OPERATIONS),
  ...wordRows('participant', PARTICIPANTS),
  ...wordRows('evidence type', EVIDENCES),
  ...levelRows(),
];
