import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What `fork` is given of the program to start. */
interface Start {
  execPath: string;
  execArgv: string[];
}

/** A program that starts another one with less, and how. */
interface Starter {
  programs: readonly string[];
  args: readonly string[];
}

/** A network of its own, in which there is none, and no rights that its user had. */
const UNSHARE: Starter = {
  programs: ['/usr/bin/unshare', '/bin/unshare'],
  args: ['--user', '--map-current-user', '--net', '--'],
};
/** No picture in a file where it crashes. */
const PRLIMIT: Starter = { programs: ['/usr/bin/prlimit', '/bin/prlimit'], args: ['--core=0', '--'] };
const PATIENCE_MS = 10_000;

const works = (program: string, args: readonly string[]): boolean =>
  existsSync(program) &&
  spawnSync(program, [...args, process.execPath, '--version'], { env: {}, stdio: 'ignore', timeout: PATIENCE_MS })
    .status === 0;

const known = new Map<Starter, string | undefined>();
const find = (starter: Starter): string | undefined => {
  const { programs, args } = starter;
  if (!known.has(starter))
    known.set(starter, process.platform === 'linux' ? programs.find((program) => works(program, args)) : undefined);
  return known.get(starter);
};

const startedBy = (starter: Starter, { execPath, execArgv }: Start): Start => {
  const program = find(starter);
  return program === undefined
    ? { execPath, execArgv }
    : { execPath: program, execArgv: [...starter.args, execPath, ...execArgv] };
};

/**
 * How to start a process of Node without a network, where the platform lets us: Linux that gives
 * everybody user namespaces. Elsewhere, and in most containers, it has the network of its service.
 */
const withoutNetwork = (execArgv: readonly string[]): Start =>
  startedBy(UNSHARE, { execPath: process.execPath, execArgv: [...execArgv] });

/**
 * How to start a process that decodes pictures of strangers: without a network, and on Linux so
 * that it leaves no core dump, which would outlive what is erased.
 */
export const confined = (execArgv: readonly string[]): Start => startedBy(PRLIMIT, withoutNetwork(execArgv));
