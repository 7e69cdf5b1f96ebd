import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { UnusableInput } from '../proof/report.ts';
import { callAll, callSuite } from './call.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

const ROLES = ['RELYING_SERVICE', 'USER_AGENT', 'OPERATOR'];
const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
};

/** Settings as they are typed: JSON, or `@file`. */
const settingsOf = async (text: string | undefined): Promise<unknown> => {
  if (text === undefined) return undefined;
  const json = text.startsWith('@') ? await readFile(text.slice(1), 'utf8') : text;
  try {
    return JSON.parse(json);
  } catch {
    throw new UnusableInput('the settings are not JSON');
  }
};

/** `assay tenants` and `assay keys`: the administration interface on the command line. Everything is printed as JSON. */
export const addAdministrationCommands = (program: Command): void => {
  const call = <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callSuite<T>(suite, suite.adminKey, method, `/admin/v1${path}`, body);
  };
  const all = (path: string): Promise<unknown[]> => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callAll(suite, suite.adminKey, `/admin/v1${path}`);
  };
  const at = (tenantId: string): string => `/tenants/${encodeURIComponent(tenantId)}`;

  const tenants = program.command('tenants').description('tenants and their settings');
  tenants.command('list').action(async () => print(await all('/tenants')));
  tenants
    .command('show')
    .argument('<tenant>')
    .action(async (tenantId: string) => print(await call('GET', at(tenantId))));
  tenants
    .command('create')
    .argument('<name>')
    .option('--settings <json-or-@file>')
    .action(async (name: string, { settings }: { settings?: string }) =>
      print(await call('POST', '/tenants', { name, settings: (await settingsOf(settings)) ?? {} })),
    );
  tenants
    .command('change')
    .description('merge settings into those of a tenant (RFC 7396: null removes)')
    .argument('<tenant>')
    .argument('<json-or-@file>')
    .action(async (tenantId: string, settings: string) =>
      print(await call('PATCH', at(tenantId), { settings: await settingsOf(settings) })),
    );

  const keys = program.command('keys').description("a tenant's API keys");
  keys
    .command('list')
    .argument('<tenant>')
    .action(async (tenantId: string) => print(await all(`${at(tenantId)}/keys`)));
  keys
    .command('create')
    .description('the key is shown this once')
    .argument('<tenant>')
    .argument('<role>', ROLES.join(', '))
    .action(async (tenantId: string, role: string) => print(await call('POST', `${at(tenantId)}/keys`, { role })));
  keys
    .command('delete')
    .argument('<tenant>')
    .argument('<key>')
    .action(async (tenantId: string, keyId: string) => {
      await call('DELETE', `${at(tenantId)}/keys/${encodeURIComponent(keyId)}`);
    });
};
