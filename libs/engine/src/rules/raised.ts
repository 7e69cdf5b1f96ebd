import type { IndicatorName, IndicatorStatus } from '@assay/contracts';

/** The result of a rule for its check. */
export type Raised = readonly [IndicatorName, IndicatorStatus];
