import { faultOf } from '../../services/gateway/src/domain/audit.ts';
import type { StoredEntry } from '../../services/gateway/src/store/audit-appender.ts';
import type { Suspect } from './suspect.ts';

const chainsOf = (entries: readonly StoredEntry[]): StoredEntry[][] =>
  [...new Set(entries.map(({ chain }) => chain))].map((chain) =>
    entries.filter((entry) => entry.chain === chain).toSorted((a, b) => a.seq - b.seq),
  );

/** The first fault of a chain, and what it has twice. */
const faultsIn = (chain: readonly StoredEntry[]): string[] => {
  const at = chain.findIndex((entry, index) => faultOf(chain[index - 1], entry));
  const marks = chain.flatMap(({ once }) => once ?? []);
  const twice = marks.filter((mark, index) => marks.indexOf(mark) !== index);
  return [
    ...(at < 0 ? [] : [`the audit log has the fault ${faultOf(chain[at - 1], chain[at]!)} at entry ${chain[at]!.seq}`]),
    ...twice.map((mark) => `the audit log has ${mark} twice`),
  ];
};

/** The audit log is one chain for each tenant, and has every act that was answered. */
export const misaudited = ({ stage, ledger }: Suspect): string[] => {
  const entries = stage.store.collection('gateway', 'audit').all() as unknown as StoredEntry[];
  const isRecorded = ({ act, id }: (typeof ledger.acts)[number]): boolean =>
    entries.some(({ content }) => content?.act === act && Object.values(content.subject).includes(id));
  return [
    ...chainsOf(entries).flatMap(faultsIn),
    ...ledger.acts.filter((one) => !isRecorded(one)).map(({ act, id }) => `the audit log has no ${act} of ${id}`),
  ];
};
