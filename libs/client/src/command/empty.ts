import type { Command } from 'commander';
import { UnusableInput } from '../proof/report.ts';

/** A command and those it is below. */
const upwards = (command: Command): Command[] => [command, ...(command.parent ? upwards(command.parent) : [])];

const faultOf = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map(faultOf).find((fault) => fault !== undefined);
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') return 'is empty';
  return value === '.' || value === '..' ? `cannot be '${value}'` : undefined;
};

/**
 * Refuses an argument or option that leads elsewhere in a path. A variable of the shell that is not
 * set leaves an empty one: `tenants show ""` would list all tenants, and `--tenant ""` would export
 * another chain.
 */
export const refuseEmpty = (command: Command): void => {
  const args = command.registeredArguments.map((one, n) => [`<${one.name()}>`, command.processedArgs[n]] as const);
  const options = upwards(command).flatMap((one) =>
    one.options.map((option) => [option.long, one.getOptionValue(option.attributeName())] as const),
  );
  for (const [name, value] of [...args, ...options]) {
    const fault = faultOf(value);
    if (fault) throw new UnusableInput(`${name} ${fault}`);
  }
};
