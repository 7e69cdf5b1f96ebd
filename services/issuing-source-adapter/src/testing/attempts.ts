import type { DocumentText, EvidenceType, HealthCard } from '@assay/contracts';
import { newDataKey, sealingContext, sealJson } from '@assay/sealing';
import type { Sources } from '../clients/connectors.ts';
import { createSourceLimiter } from '../clients/source-limiter.ts';
import { createAskSource } from '../flows/ask-source.ts';
import type { Check } from '../store/check.ts';

const [TENANT, IDENTITY] = ['tenant-0000000000000001', 'identity-00000000000001'];
const KEY = newDataKey();
let made = 0;

export interface AttemptAsked {
  document: DocumentText | HealthCard;
  type: EvidenceType;
  mode?: Check['mode'];
  userCategory?: Check['userCategory'];
}

/** Makes single attempts at checks without a database, with the given sources. */
export const createAttempts = (sources: Sources) => {
  const attempt = createAskSource({
    ...sources,
    limiter: createSourceLimiter(),
    now: () => new Date(),
    questionMs: 5000,
    windows: false,
  });
  return ({ document, type, mode = 'TEXT', userCategory = 'COMMERCIAL' }: AttemptAsked) => {
    const now = new Date();
    made += 1;
    const check: Check = {
      _id: `check-${process.pid}-${made}`,
      tenantId: TENANT,
      identityId: IDENTITY,
      evidenceId: `evidence-${made}`,
      type,
      mode,
      userCategory,
      sealedDocument: sealJson(KEY, sealingContext(TENANT, IDENTITY, 'document'), document),
      state: 'OPEN',
      startedAt: now,
      nextAttemptAt: now,
      attempts: 0,
      leaseUntil: now,
      services: [],
      inbox: [],
    };
    return attempt(check, KEY, async () => true);
  };
};
