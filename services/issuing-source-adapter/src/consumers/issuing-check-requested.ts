import type { CheckRequest } from '../flows/complete-check.ts';
import type { RunCheck } from '../flows/run-check.ts';

/**
 * issuing-check.requested: asks the source, in as many attempts as the pace allows, and publishes
 * the result. A request repeated after the end is answered from the stored check.
 */
export const onIssuingCheckRequested =
  ({ run }: RunCheck) =>
  (event: CheckRequest): Promise<void> =>
    run(event);
