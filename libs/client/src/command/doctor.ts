import { existsSync } from 'node:fs';
import { parseEnv } from 'node:util';
import {
  type DoctorReply,
  environmentFindings,
  environmentOf,
  type FindingStatus,
  SERVICE_NAMES,
} from '@assay/contracts';
import type { Command } from 'commander';
import { UnusableInput } from '../proof/report.ts';
import { missingAlerts } from './alerts.ts';
import { callSuite, listIn } from './call.ts';
import type { CommandResult } from './command-result.ts';
import { readText, readTextNow } from './files.ts';
import { print } from './print.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

type Findings = DoctorReply['findings'];

interface Flags {
  prometheus?: string;
  env?: string[];
  strict?: boolean;
  all?: boolean;
  json?: boolean;
}

/** What a file of variables, SERVICE=FILE, tells before the service was ever started. */
const fileFindings = async (given: string): Promise<Findings> => {
  const [service = '', ...rest] = given.split('=');
  if (!SERVICE_NAMES.some((name) => name === service) || rest.length === 0)
    throw new UnusableInput(`--env takes SERVICE=FILE, SERVICE being one of ${SERVICE_NAMES.join(', ')}`);
  const variables = parseEnv(await readText(rest.join('=')));
  const read = (file: string): string | undefined => (existsSync(file) ? readTextNow(file) : undefined);
  return environmentFindings(environmentOf(service, variables, read)).map((found) => ({ ...found, where: service }));
};

/** Whether clients reach the suite in a way that nobody can listen to. */
export const frontFinding = (url: string): Findings[number] => {
  const { protocol, hostname } = new URL(url);
  const check = 'front-tls';
  const where = 'suite';
  if (protocol === 'https:') return { check, status: 'OK', message: 'https', where };
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return isHere
    ? {
        check,
        status: 'WARNING',
        message: 'was checked at an address of this machine: check the address that clients use',
        where,
      }
    : { check, status: 'PROBLEM', message: 'clients reach it by plain HTTP', where };
};

const alertsFinding = async (prometheus: string | undefined): Promise<Findings[number]> => {
  const check = 'alerts';
  if (prometheus === undefined)
    return { check, status: 'UNKNOWN', message: 'name your Prometheus with --prometheus', where: 'suite' };
  const where = 'prometheus';
  const found = await missingAlerts(prometheus);
  if ('failure' in found) return { check, status: 'PROBLEM', message: found.failure, where };
  return found.missing.length > 0
    ? { check, status: 'PROBLEM', message: `not loaded: ${found.missing.join(', ')}`, where }
    : { check, status: 'OK', message: 'every alert is loaded', where };
};

const suiteFindings = async (options: SuiteOptions, prometheus: string | undefined): Promise<Findings> => {
  const suite = findSuite(options);
  const path = '/admin/v1/doctor';
  const { findings } = await callSuite<DoctorReply>(suite, 'GET', path, undefined, ['findings']);
  const found = listIn<Findings[number]>(suite, path, findings, ['check', 'status', 'message', 'where']);
  return [...found, frontFinding(suite.url), await alertsFinding(prometheus)];
};

const RANKS: readonly FindingStatus[] = ['PROBLEM', 'WARNING', 'UNKNOWN', 'OK'];
const textOf = (findings: Findings, all: boolean): string => {
  const count = (status: FindingStatus): number => findings.filter((found) => found.status === status).length;
  const shown = RANKS.flatMap((status) => findings.filter((found) => found.status === status)).filter(
    ({ status }) => all || status !== 'OK',
  );
  const lines = shown.map(
    ({ check, status, message, where }) => `${status.padEnd(8)} ${check.padEnd(22)} ${where.padEnd(23)} ${message}`,
  );
  const sum = `${count('PROBLEM')} problems, ${count('WARNING')} warnings, ${count('UNKNOWN')} unknown, ${count('OK')} fine`;
  return [...lines, `${sum}; what each check means: docs/production.md`].join('\n');
};

/**
 * `assay doctor`: what keeps a suite, or files of variables, from being fit for production
 * (docs/production.md).
 */
export const addDoctorCommand = (program: Command, outcome: CommandResult): void => {
  program
    .command('doctor')
    .description('list what a running suite, or files of variables, still need for production')
    .option('--prometheus <url>', 'your Prometheus, to look for missing alerts')
    .option('--env <service=file...>', 'examine files of variables instead of a running suite')
    .option('--strict', 'fail on warnings as well')
    .option('--all', 'print what is fine as well')
    .option('--json', 'print JSON')
    .action(async ({ prometheus, env, strict = false, all = false, json = false }: Flags) => {
      const findings = env
        ? (await Promise.all(env.map(fileFindings))).flat()
        : await suiteFindings(program.opts<SuiteOptions>(), prometheus);
      const isBad = ({ status }: Findings[number]): boolean => status === 'PROBLEM' || (strict && status === 'WARNING');
      print(json ? JSON.stringify({ findings }, null, 2) : textOf(findings, all));
      outcome.exitCode = findings.some(isBad) ? 1 : 0;
    });
};
