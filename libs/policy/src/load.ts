import { violationsOf } from '@assay/contracts';
import { Value } from 'typebox/value';
import { faultsOfPatterns } from './named-indicators.ts';
import { type Policy, PolicySchema, type Profile } from './schema.ts';

const asksForNothing = ({ evidence, portrait = 0, person = {} }: Profile): boolean =>
  evidence.length === 0 && Math.max(portrait, ...Object.values(person)) === 0;

/** What is wrong with a policy that follows the schema. */
const faultsOfRules = (policy: Policy): string[] => [
  ...faultsOfPatterns(policy),
  ...policy.profiles.flatMap((profile, at) =>
    asksForNothing(profile) ? [`profiles[${at}] asks for nothing: everybody would have its level`] : [],
  ),
];

/** Everything wrong with a policy file, in words; empty when it can be followed. */
export const faultsOfPolicy = (file: unknown): string[] => {
  const violations = violationsOf(PolicySchema, file).map(({ field, message }) => `${field || 'the file'} ${message}`);
  return violations.length > 0 ? [...new Set(violations)] : faultsOfRules(file as Policy);
};

/**
 * Checks a policy file. Throws one error that names everything wrong with it: a service does not
 * start on a policy it cannot follow.
 */
export const parsePolicy = (file: unknown): Policy => {
  // Each start reads a few files: to compile the schema takes four times as long as to follow it.
  const faults = Value.Check(PolicySchema, file) ? faultsOfRules(file) : faultsOfPolicy(file);
  if (faults.length === 0) return file as Policy;
  const name = (file as { name?: unknown } | null)?.name;
  throw new Error(`policy ${String(name ?? '?')}: ${faults.join('; ')}`);
};

export interface Policies {
  /**
   * The policy that a name and version stand for; the current one of that name when no version is
   * given, or none is kept of that version.
   */
  named(name: string, version?: string): Policy | undefined;
  /** The current version of every policy. */
  list(): Policy[];
}

const newest = (a: Policy, b: Policy): number => {
  const [majorA, minorA] = a.version.split('.').map(Number);
  const [majorB, minorB] = b.version.split('.').map(Number);
  return majorB! - majorA! || minorB! - minorA!;
};

/**
 * The policies that files stand for; several versions of one name may be kept, so that running
 * identities keep the one they began with. Throws if two files have one name and version: which of
 * them counts would be chance.
 */
export const policiesOf = (files: readonly unknown[]): Policies => {
  const all = files.map(parsePolicy).sort(newest);
  const called = ({ name, version }: Policy): string => `${name} ${version}`;
  const twice = all.find((one, at) => all.findIndex((other) => called(other) === called(one)) < at);
  if (twice) throw new Error(`policy ${called(twice)}: two files have this name and version`);
  const current = new Map<string, Policy>();
  for (const policy of all) if (!current.has(policy.name)) current.set(policy.name, policy);
  return {
    named: (name, version) =>
      all.find((policy) => policy.name === name && policy.version === version) ?? current.get(name),
    list: () => [...current.values()].sort((a, b) => a.name.localeCompare(b.name)),
  };
};
