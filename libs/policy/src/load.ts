import { violationsOf } from '@assay/contracts';
import { Value } from 'typebox/value';
import { type Policy, PolicySchema } from './schema.ts';

/** Everything wrong with a policy file, in words; empty when it can be followed. */
export const faultsOfPolicy = (file: unknown): string[] => [
  ...new Set(violationsOf(PolicySchema, file).map(({ field, message }) => `${field || 'the file'} ${message}`)),
];

/**
 * Checks a policy file. Throws one error that names everything wrong with it: a service does not
 * start on a policy it cannot follow.
 */
export const parsePolicy = (file: unknown): Policy => {
  // Each start reads a few files: to compile the schema takes four times as long as to follow it.
  if (Value.Check(PolicySchema, file)) return file;
  const faults = faultsOfPolicy(file);
  const name = (file as { name?: unknown } | null)?.name;
  if (faults.length > 0) throw new Error(`policy ${String(name ?? '?')}: ${faults.join('; ')}`);
  return file as Policy;
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
 * identities keep the one they began with.
 */
export const policiesOf = (files: readonly unknown[]): Policies => {
  const all = files.map(parsePolicy).sort(newest);
  const current = new Map<string, Policy>();
  for (const policy of all) if (!current.has(policy.name)) current.set(policy.name, policy);
  return {
    named: (name, version) =>
      all.find((policy) => policy.name === name && policy.version === version) ?? current.get(name),
    list: () => [...current.values()].sort((a, b) => a.name.localeCompare(b.name)),
  };
};
