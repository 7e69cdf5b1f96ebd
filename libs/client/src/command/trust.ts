import { basename } from 'node:path';
import type { Command } from 'commander';
import type { ReplyOf } from '../api/connection.ts';
import { UnusableInput } from '../proof/report.ts';
import { callAll, callSuite, type Members } from './call.ts';
import type { CommandResult } from './command-result.ts';
import { readBytes } from './files.ts';
import { printJson } from './print.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

interface Flags {
  source?: string;
  country?: string;
  crl?: boolean;
  signers?: boolean;
}

interface Entry {
  id: string;
  source: string;
  sources?: string[];
}

/** What became of the certificates or lists of a file. */
interface Imported {
  added: number;
  known: number;
  refused: unknown[];
}

const at = ({ crl }: Flags): string => (crl ? '/trust/crl' : '/trust/csca');
const CRL = ['--crl', 'revocation lists instead of authorities'] as const;

const countryIn = (text: string): string => {
  if (!/^(?:d|[a-z]{2,3})$/i.test(text))
    throw new UnusableInput(`--country takes two letters or three, such as DE or DEU, not '${text}'`);
  return text;
};

const formOf = async (file: string, source: string): Promise<FormData> => {
  const form = new FormData();
  form.set('source', source);
  form.set('file', new Blob([new Uint8Array(await readBytes(file))]), basename(file));
  return form;
};

type Call = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, members?: Members<T>) => Promise<T>;

/** `assay trust remove`. */
const addRemoveCommand = (trust: Command, call: Call, listed: (path: string) => Promise<Entry[]>): void => {
  trust
    .command('remove')
    .description('remove a certificate or a revocation list: the suite uses it for no chip any more')
    .argument('[id]', 'id of `assay trust list`')
    .option('--source <text>', 'remove all that came only from this source, document signers too')
    .option(...CRL)
    .action(async (id: string | undefined, flags: Flags) => {
      const { source, crl } = flags;
      if ((id === undefined) === (source === undefined)) throw new UnusableInput('give either an id or --source');
      const remove = (one: string, query = '') =>
        call('DELETE', `${at(flags)}/${encodeURIComponent(one)}${query}`, undefined, 'no body');
      if (source === undefined) {
        await remove(String(id));
        return printJson({ removed: id });
      }
      const all = [...(await listed(at(flags))), ...(crl ? [] : await listed('/trust/signers'))];
      const found = all.filter((one) => (one.sources ?? [one.source]).includes(source));
      const done: Entry[] = [];
      const removeAll = async (): Promise<void> => {
        for (const one of found) {
          await remove(one.id, `?${new URLSearchParams({ source })}`);
          done.push(one);
        }
      };
      const isLeft = ({ sources = [] }: Entry): boolean => sources.length > 1;
      const idsOf = (entries: readonly Entry[]): string[] => entries.map((one) => one.id);
      // Also where a later one is refused: those before it are removed.
      await removeAll().finally(() => {
        if (done.length === 0 && found.length > 0) return;
        printJson({ removed: idsOf(done.filter((one) => !isLeft(one))), elsewhere: idsOf(done.filter(isLeft)) });
      });
    });
};

/** `assay trust`: whom the suite trusts for passport chips. Everything is printed as JSON. */
export const addTrustCommands = (program: Command, outcome: CommandResult): void => {
  const call: Call = (method, path, body, members) => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callSuite(suite, method, `/admin/v1${path}`, body, members);
  };
  const listed = (path: string): Promise<Entry[]> => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callAll<Entry>(suite, `/admin/v1${path}`, ['id', 'source']);
  };
  const trust = program.command('trust').description('whom the suite trusts for passport chips');
  trust
    .command('import')
    .description('import a master list, an LDIF, a certificate or a revocation list: exit 1 where all of it is refused')
    .argument('<file>')
    .option('--source <text>', 'where the file is from; by default its name')
    .option(...CRL)
    .action(async (file: string, flags: Flags) => {
      const form = await formOf(file, flags.source ?? basename(file));
      const imported = await call<Imported>('POST', at(flags), form, ['added', 'known', 'refused']);
      printJson(imported);
      const { added, known, refused } = imported;
      outcome.exitCode = added + known === 0 && refused.length > 0 ? 1 : 0;
    });
  trust
    .command('list')
    .description("list certificates of countries' authorities or of document signers, or revocation lists")
    .option('--country <code>', 'only of one country, two letters or three', countryIn)
    .option('--signers', 'document signers instead of authorities')
    .option(...CRL)
    .action(async (flags: Flags) => {
      const query = flags.country ? `?${new URLSearchParams({ country: flags.country })}` : '';
      printJson(await listed(`${flags.signers ? '/trust/signers' : at(flags)}${query}`));
    });
  addRemoveCommand(trust, call, listed);
  trust
    .command('report')
    .description('report the countries covered, old master lists and certificates about to expire')
    .action(async () =>
      printJson(await call<ReplyOf<'reportTrust'>>('GET', '/trust/report', undefined, ['countries'])),
    );
};
