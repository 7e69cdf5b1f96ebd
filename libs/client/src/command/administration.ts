import { present } from '@assay/contracts';
import { Argument, type Command } from 'commander';
import type { ReplyOf } from '../api/connection.ts';
import { UnusableInput } from '../proof/report.ts';
import { callAll, callSuite, type Members } from './call.ts';
import { parseJson, readText } from './files.ts';
import { addMasterKeyCommands } from './master-keys.ts';
import { printJson } from './print.ts';
import { addSigningKeyCommands } from './signing-keys.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

const ROLES = ['RELYING_SERVICE', 'USER_AGENT', 'OPERATOR', 'TENANT_ADMINISTRATOR'];
/** Settings as they are typed: JSON, or `@file`. */
const settingsOf = async (text: string | undefined): Promise<object | undefined> => {
  if (text === undefined) return undefined;
  const file = text.startsWith('@') ? text.slice(1) : undefined;
  const settings = file === undefined ? parseJson(text, 'the settings') : parseJson(await readText(file), file);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new UnusableInput('the settings are no JSON object, such as {"policy": "strict"}');
  return settings;
};

interface Calls {
  call: <T>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    members: Members<T>,
    body?: unknown,
  ) => Promise<T>;
  all: (path: string) => Promise<unknown[]>;
  at: (tenantId: string) => string;
}

type Tenant = ReplyOf<'getTenant'>;
type NewKey = ReplyOf<'createKey'>;
type Ended = ReplyOf<'deletePerson'>;
const TENANT = ['tenantId', 'settings'] as const;

interface KeyOptions {
  person?: string;
  name?: string;
  expires?: string;
}

/** What is said of a key beside its role. */
const furtherOf = ({ person, name, expires }: KeyOptions): object => {
  if ((person === undefined) !== (name === undefined))
    throw new UnusableInput('--person and --name belong together: --person ann@example.org --name "Ann Example"');
  return {
    ...(person === undefined ? {} : { person: { subject: person, name } }),
    ...present({ expiresAt: expires }),
  };
};

/** `assay people`. */
const addPeopleCommands = (people: Command, { call, all }: Calls): void => {
  people
    .command('list')
    .description('list operators and administrators who signed in or were named for a key')
    .action(async () => printJson(await all('/people')));
  people
    .command('delete')
    .description('end the sessions of a person and forget who they are; their keys are revoked first')
    .argument('<person>', 'personId of the person')
    .action(async (personId: string) =>
      printJson(await call<Ended>('DELETE', `/people/${encodeURIComponent(personId)}`, ['ended'])),
    );
};

/** `assay keys`. */
const addKeyCommands = (keys: Command, { call, all, at }: Calls): void => {
  keys
    .command('list')
    .description('list the keys of a tenant, without their secrets')
    .argument('<tenant>', 'its id')
    .action(async (tenantId: string) => printJson(await all(`${at(tenantId)}/keys`)));
  keys
    .command('create')
    .description('create a key; it is shown only once')
    .argument('<tenant>', 'its id')
    .addArgument(new Argument('<role>').choices(ROLES))
    .option('--person <subject>', 'whose key it is: what the issuer of OpenID Connect calls the person')
    .option('--name <name>', 'the name of that person, as colleagues see it')
    .option('--expires <time>', 'when the key expires, in UTC: 2030-01-31T00:00:00')
    .action(async (tenantId: string, role: string, options: KeyOptions) =>
      printJson(await call<NewKey>('POST', `${at(tenantId)}/keys`, ['apiKey'], { role, ...furtherOf(options) })),
    );
  keys
    .command('delete')
    .description('from now on the key is refused')
    .argument('<tenant>', 'its id')
    .argument('<key>', 'keyId of the key')
    .action(async (tenantId: string, keyId: string) => {
      await call('DELETE', `${at(tenantId)}/keys/${encodeURIComponent(keyId)}`, 'no body');
      printJson({ deleted: keyId });
    });
  addMasterKeyCommands(keys, call);
  addSigningKeyCommands(keys, call);
};

/**
 * `assay tenants`, `assay keys` and `assay people`: the administration interface on the command
 * line. Everything is printed as JSON.
 */
export const addAdministrationCommands = (program: Command): void => {
  const call: Calls['call'] = (method, path, members, body) => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callSuite(suite, method, `/admin/v1${path}`, body, members);
  };
  const all = (path: string): Promise<unknown[]> => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callAll(suite, `/admin/v1${path}`);
  };
  const at = (tenantId: string): string => `/tenants/${encodeURIComponent(tenantId)}`;

  const tenants = program.command('tenants').description('tenants and their settings');
  tenants
    .command('list')
    .description('list the tenants')
    .action(async () => printJson(await all('/tenants')));
  tenants
    .command('show')
    .description('show one tenant, without the secret of its webhook')
    .argument('<tenant>', 'its id')
    .action(async (tenantId: string) => printJson(await call<Tenant>('GET', at(tenantId), TENANT)));
  tenants
    .command('create')
    .description('create a tenant; then create keys for it')
    .argument('<name>')
    .option('--settings <json-or-@file>', 'what differs from the defaults')
    .action(async (name: string, { settings }: { settings?: string }) =>
      printJson(await call<Tenant>('POST', '/tenants', TENANT, { name, settings: (await settingsOf(settings)) ?? {} })),
    );
  tenants
    .command('change')
    .description('merge settings into those of a tenant (RFC 7396: null removes)')
    .argument('<tenant>', 'its id')
    .argument('<json-or-@file>', 'such as \'{"policy": "strict"}\'')
    .action(async (tenantId: string, settings: string) =>
      printJson(await call<Tenant>('PATCH', at(tenantId), TENANT, { settings: await settingsOf(settings) })),
    );

  addKeyCommands(program.command('keys').description("a tenant's API keys, and the master keys"), { call, all, at });
  addPeopleCommands(program.command('people').description('operators and administrators'), { call, all, at });
};
