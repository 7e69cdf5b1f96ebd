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
import type { CommandResult } from './command-result.ts';
import { readJson, writePrivate } from './files.ts';
import { loadKeys } from './load-keys.ts';
import { print } from './print.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

interface KeyFlags {
  jwks?: string;
}

const isExport = (value: unknown): value is AuditExport => {
  const { entries, checkpoints } = (value ?? {}) as Partial<Record<keyof AuditExport, unknown>>;
  const isEntry = (entry: unknown) => typeof (entry as AuditEntry | null)?.hash === 'string';
  const isCheckpoint = (head: unknown) => typeof (head as AuditCheckpoint | null)?.jws === 'string';
  return (
    Array.isArray(entries) && entries.every(isEntry) && Array.isArray(checkpoints) && checkpoints.every(isCheckpoint)
  );
};

/** `assay audit export`, `assay audit verify` and `assay receipt verify`. */
export const addAuditCommands = (program: Command, outcome: CommandResult): void => {
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
      await writePrivate(file, `${JSON.stringify(exported, null, 2)}\n`);
      print(`${file}: ${exported.entries.length} entries, ${exported.checkpoints.length} checkpoints`);
    });
  audit
    .command('verify')
    .description('verify an exported chain offline: exit 0 good, 1 refused, 2 unusable input')
    .argument('<file>', 'from `assay audit export`')
    .option('--jwks <url-or-file>', 'keys to verify with; those of the suite when left out')
    .action(async (file: string, { jwks }: KeyFlags) => {
      const exported = await readJson<unknown>(file);
      if (!isExport(exported)) throw new UnusableInput(`${file} is no exported audit log`);
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
      const receipt = (await readJson<{ receipt?: { jws?: string } } | null>(file))?.receipt;
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
