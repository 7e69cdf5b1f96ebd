import { instantOf } from '@assay/contracts';
import { UnusableInput } from '../proof/report.ts';

/** A time as the service takes it: in UTC, to the millisecond, without a zone. */
export const timeOf =
  (option: string) =>
  (text: string): string => {
    const at = instantOf(text);
    if (!at) throw new UnusableInput(`${option} takes a time, such as 2026-01-02T03:04:05 (UTC), not '${text}'`);
    return at.toISOString().slice(0, -1);
  };
