import type { Command } from 'commander';
import {
  type AuditCheckpoint,
  type AuditEntry,
  type AuditExport,
  type AuditReport,
  type ReceiptReply,
  verifyAudit,
  verifyReceiptReply,
} from '../audit/verify-audit.ts';
import { Refusal, UnusableInput } from '../proof/report.ts';
import { oneLine } from '../unseen.ts';
import { callPages } from './call.ts';
import type { CommandResult } from './command-result.ts';
import { readJson, writePrivate } from './files.ts';
import { loadKeys } from './load-keys.ts';
import { print, printJson } from './print.ts';
import { findSuite, type Suite, type SuiteOptions } from './suite.ts';

interface JsonFlag {
  json?: boolean;
}
interface KeyFlags extends JsonFlag {
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

const isReceiptReply = (value: unknown): value is ReceiptReply =>
  typeof (value as Partial<ReceiptReply> | null)?.receipt?.jws === 'string';

const headlineOf = ({ ok, entries, vouchedTo }: AuditReport): string => {
  if (!ok) return 'REFUSED';
  return entries === 0
    ? 'EMPTY: no entries, nothing to verify'
    : `GOOD: ${entries} entries, signed up to number ${vouchedTo}`;
};

type Lists = Readonly<Record<keyof AuditExport, string>>;

/** An export, page by page: a chain may be longer than a text. Counts what it gives. */
async function* exportOf(
  suite: Suite,
  lists: Lists,
  counts: Record<keyof AuditExport, number>,
): AsyncGenerator<string> {
  let before = '{';
  for (const [name, path] of Object.entries(lists) as [keyof AuditExport, string][]) {
    let between = `${before}\n  "${name}": [`;
    for await (const page of callPages(suite, path)) {
      if (page.length > 0) yield `${between}\n${page.map((item) => JSON.stringify(item)).join(',\n')}`;
      if (page.length > 0) between = ',';
      counts[name] += page.length;
    }
    yield counts[name] > 0 ? '\n  ]' : `${between}]`;
    before = ',';
  }
  yield '\n}\n';
}

/** `assay audit export`, `assay audit verify` and `assay receipt verify`. */
export const addAuditCommands = (program: Command, outcome: CommandResult): void => {
  const options = () => program.opts<SuiteOptions>();
  const audit = program.command('audit').description('the tamper-evident log of acts');
  audit
    .command('export')
    .description('write a chain and its signed heads to a file')
    .argument('<file>')
    .option('--tenant <tenant>', "a tenant's chain; that of the suite when left out")
    .option('--json', 'print JSON')
    .action(async (file: string, { tenant, json }: { tenant?: string } & JsonFlag) => {
      const suite = findSuite(options());
      const path = tenant ? `/admin/v1/tenants/${encodeURIComponent(tenant)}/audit` : '/admin/v1/audit';
      const counts = { checkpoints: 0, entries: 0 };
      // The heads first: what is written meanwhile has no head in the file that its entries lack.
      const lists = { checkpoints: `${path}/checkpoints`, entries: path };
      await writePrivate(file, exportOf(suite, lists, counts));
      const { entries, checkpoints } = counts;
      if (json) printJson({ file, entries, checkpoints });
      else print(`${file}: ${entries} entries, ${checkpoints} checkpoints`);
    });
  audit
    .command('verify')
    .description('verify an exported chain offline: exit 0 good, 1 refused, 2 unusable input')
    .argument('<file>', 'from `assay audit export`')
    .option('--jwks <url-or-file>', 'keys to verify with; by default those of the suite')
    .option('--json', 'print the report as JSON')
    .action(async (file: string, { jwks, json }: KeyFlags) => {
      const exported = await readJson<unknown>(file);
      if (!isExport(exported)) throw new UnusableInput(`${file} is no exported audit log`);
      const report = verifyAudit(exported, await loadKeys(jwks, options()));
      outcome.exitCode = report.ok ? 0 : 1;
      if (json) return printJson(report);
      print(headlineOf(report));
      for (const reason of report.reasons) print(oneLine(`- ${reason}`));
    });
  program
    .command('receipt')
    .description('deletion receipts')
    .command('verify')
    .description('verify a deletion receipt offline: exit 0 good, 1 refused, 2 unusable input')
    .argument('<file>', 'the reply of deletion-receipt')
    .option('--jwks <url-or-file>', 'keys to verify with; by default those of the suite')
    .option('--json', 'print JSON, also if the receipt is refused')
    .action(async (file: string, { jwks, json }: KeyFlags) => {
      const reply = await readJson<unknown>(file);
      if (!isReceiptReply(reply)) throw new UnusableInput(`${file} is no deletion receipt`);
      const keys = await loadKeys(jwks, options());
      try {
        printJson(verifyReceiptReply(reply, keys));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        outcome.exitCode = 1;
        if (json) return printJson({ ok: false, reasons: [error.message] });
        print(`REFUSED\n- ${error.message}`);
      }
    });
};
