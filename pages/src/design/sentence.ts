import { capital } from '@assay/contracts/words';

/** What the service says, as a sentence that others may follow. */
export const sentence = (reason: string): string => `${capital(reason.replace(/\.$/, ''))}.`;
