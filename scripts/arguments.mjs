/**
 * The command line of our programs. Each says how it is called in its own leading comment, and that
 * is its help.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The leading comment of a file, without its marks. */
export const helpOf = (file) => {
  const [, comment = ''] = /\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, 'utf8')) ?? [];
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .trim();
};

/** Whether the arguments ask for help. */
export const asksForHelp = (args) => args.includes('--help') || args.includes('-h');

/** Prints a program's help and ends, when the arguments ask for it. */
export const answerHelp = (file, args = process.argv.slice(2)) => {
  if (!asksForHelp(args)) return;
  console.log(helpOf(file));
  process.exit(0);
};

/**
 * The options of a program's command line. Prints its help and ends when that is asked for, or with
 * 2 when the command line is wrong. An empty value is wrong, too: a variable of the shell that is
 * not set leaves one, and as a path it would be the working directory.
 */
export const readArguments = (file, options, args = process.argv.slice(2)) => {
  answerHelp(file, args);
  try {
    const { values } = parseArgs({ args, options });
    const empty = Object.keys(values).find((name) => [values[name]].flat().includes(''));
    if (empty) throw new Error(`--${empty} is empty`);
    return values;
  } catch (error) {
    console.error(`${error.message}\n\n${helpOf(file)}`);
    return process.exit(2);
  }
};
