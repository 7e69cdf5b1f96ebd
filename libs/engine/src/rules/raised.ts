import type { IndicatorName, IndicatorStatus } from '@assay/contracts';

/** What a rule says of its check. */
export type Raised = readonly [IndicatorName, IndicatorStatus];
