import { createDoctorRoute, type InternalKeys, reply, requireToken } from '@assay/http';
import { type Express, Router } from 'express';
import { type Deps as HistoryDeps, historyRoutes } from './histories.ts';
import { type Deps as KeyDeps, keyRoutes } from './keys.ts';
import { type Deps as ProofDeps, proofRoutes } from './proofs.ts';
import { schemaRoutes } from './schemas.ts';

export interface Deps extends ProofDeps, KeyDeps, HistoryDeps {
  /** Check the tokens of calls between services. */
  keys: InternalKeys;
}

/**
 * What the gateway calls: proofs and their archives, histories, signatures and keys, published
 * schemas.
 */
export const routes =
  (deps: Deps) =>
  (app: Express): void => {
    const doctor = Router().get('/doctor', reply(createDoctorRoute('proof-builder')));
    const groups = [proofRoutes(deps), historyRoutes(deps), keyRoutes(deps), schemaRoutes(), doctor];
    app.use('/internal/v1', requireToken(deps.keys, ['gateway']), ...groups);
  };
