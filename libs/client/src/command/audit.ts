import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  type AuditCheckpoint,
  type AuditEntry,
  type AuditExport,
  verifyAudit,
  verifyReceipt,
} from '../audit/verify-audit.ts';
import { Refusal, UnusableInput } from '../proof/report.ts';
import { callAll } from './call.ts';
import { loadKeys } from './load-keys.ts';
import type { Outcome } from './main.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

interface KeyFlags {
  jwks?: string;
}

const readJson = async <T>(path: string): Promise<T> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    throw new UnusableInput(`${path} is not a readable JSON file`);
  }
};
const print = (text: string): unknown => process.stdout.write(`${text}\n`);

/** `assay audit export`, `assay audit verify` and `assay receipt verify`. */
export const addAuditCommands = (program: Command, outcome: Outcome): void => {
  const options = () => program.opts<SuiteOptions>();
  const audit = program.command('audit').description('the tamper-evident log of acts');
  audit
    .command('export')
    .description('write a chain and its signed heads to a file')
    .argument('<file>')
    .option('--tenant <tenant>', "a tenant's chain; that of the suite when left out")
    .action(async (file: string, { tenant }: { tenant?: string }) => {
      const suite = findSuite(options());
      const path = tenant ? `/admin/v1/tenants/${encodeURIComponent(tenant)}/audit` : '/admin/v1/audit';
      const exported: AuditExport = {
        entries: await callAll<AuditEntry>(suite, suite.adminKey, path),
        checkpoints: await callAll<AuditCheckpoint>(suite, suite.adminKey, `${path}/checkpoints`),
      };
      await writeFile(file, `${JSON.stringify(exported, null, 2)}\n`, { mode: 0o600 });
      print(`${exported.entries.length} entries, ${exported.checkpoints.length} checkpoints`);
    });
  audit
    .command('verify')
    .description('verify an exported chain offline: exit 0 good, 1 refused, 2 unusable input')
    .argument('<file>', 'from `assay audit export`')
    .option('--jwks <url-or-file>', 'keys to verify with; those of the suite when left out')
    .action(async (file: string, { jwks }: KeyFlags) => {
      const exported = await readJson<AuditExport>(file);
      if (!Array.isArray(exported.entries) || !Array.isArray(exported.checkpoints))
        throw new UnusableInput(`${file} is no exported audit log`);
      const report = verifyAudit(exported, await loadKeys(jwks, options()));
      print(report.ok ? `GOOD: ${report.entries} entries, signed up to number ${report.vouchedTo}` : 'REFUSED');
      for (const reason of report.reasons) print(`- ${reason}`);
      outcome.exitCode = report.ok ? 0 : 1;
    });
  program
    .command('receipt')
    .description('deletion receipts')
    .command('verify')
    .description('verify a deletion receipt offline: exit 0 good, 1 refused, 2 unusable input')
    .argument('<file>', 'the reply of deletion-receipt')
    .option('--jwks <url-or-file>', 'keys to verify with; those of the suite when left out')
    .action(async (file: string, { jwks }: KeyFlags) => {
      const { receipt } = await readJson<{ receipt?: { jws?: string } }>(file);
      if (typeof receipt?.jws !== 'string') throw new UnusableInput(`${file} is no deletion receipt`);
      const keys = await loadKeys(jwks, options());
      try {
        print(JSON.stringify(verifyReceipt(receipt.jws, keys), null, 2));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        print(`REFUSED\n- ${error.message}`);
        outcome.exitCode = 1;
      }
    });
};
