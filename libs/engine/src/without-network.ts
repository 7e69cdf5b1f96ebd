import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What `fork` is given of the program to start. */
interface Start {
  execPath: string;
  execArgv: string[];
}

const PROGRAMS = ['/usr/bin/unshare', '/bin/unshare'];
/** A network of its own, in which there is none, and no rights that its user had. */
const APART = ['--user', '--map-current-user', '--net', '--'];
const PATIENCE_MS = 10_000;

const works = (program: string): boolean =>
  existsSync(program) &&
  spawnSync(program, [...APART, process.execPath, '--version'], { env: {}, stdio: 'ignore', timeout: PATIENCE_MS })
    .status === 0;

let known: { program: string | undefined } | undefined;
const unshare = (): string | undefined => {
  known ??= { program: process.platform === 'linux' ? PROGRAMS.find(works) : undefined };
  return known.program;
};

/**
 * How to start a process of Node without a network, where the platform lets us: Linux that gives
 * everybody user namespaces. Elsewhere, and in most containers, it has the network of its service.
 */
export const withoutNetwork = (execArgv: readonly string[]): Start => {
  const program = unshare();
  return program === undefined
    ? { execPath: process.execPath, execArgv: [...execArgv] }
    : { execPath: program, execArgv: [...APART, process.execPath, ...execArgv] };
};
