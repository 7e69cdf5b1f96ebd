import type { ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * The options of a program's command line. Prints its help and ends when that is asked for, or with
 * 2 when the command line is wrong.
 */
export function readArguments<T extends Options>(
  file: string,
  options: T,
  args?: string[],
): ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** The leading comment of a file, without its marks. */
export function helpOf(file: string): string;

/** Whether the arguments ask for help. */
export function asksForHelp(args: readonly string[]): boolean;

/** Prints a program's help and ends, when the arguments ask for it. */
export function answerHelp(file: string, args?: string[]): void;
