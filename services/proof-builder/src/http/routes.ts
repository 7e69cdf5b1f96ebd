import { type InternalKeys, requireToken } from '@assay/http';
import type { Express } from 'express';
import { type Deps as HistoryDeps, historyRoutes } from './histories.ts';
import { type Deps as KeyDeps, keyRoutes } from './keys.ts';
import { type Deps as ProofDeps, proofRoutes } from './proofs.ts';
import { schemaRoutes } from './schemas.ts';

export interface Deps extends ProofDeps, KeyDeps, HistoryDeps {
  /** Check the tokens of calls between services. */
  keys: InternalKeys;
}

/** What the gateway calls: proofs and their archives, histories, signatures and keys, published schemas. */
export const routes =
  (deps: Deps) =>
  (app: Express): void => {
    const groups = [proofRoutes(deps), historyRoutes(deps), keyRoutes(deps), schemaRoutes()];
    app.use('/internal/v1', requireToken(deps.keys, ['gateway']), ...groups);
  };
