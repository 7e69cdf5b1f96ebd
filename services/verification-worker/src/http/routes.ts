import { createDoctorRoute, type InternalKeys, jsonBody, reply, requireToken } from '@assay/http';
import { type Express, Router } from 'express';
import {
  type Deps as CaseDeps,
  createCaseRoute,
  createEvaluateExportedRoute,
  createEvaluateRoute,
  createReEvaluateRoute,
} from './cases.ts';
import {
  createTrustImportRoute,
  createTrustListRoute,
  createTrustRemovalRoute,
  createTrustReportRoute,
  type Deps as TrustDeps,
} from './trust.ts';

/** A directory of certificates, as base64. */
const TRUST_FILE_LIMIT = 24 * 1024 * 1024;

/** Every internal route of verification-worker; only the gateway calls them. */
export const routes =
  (deps: CaseDeps & TrustDeps, keys: InternalKeys) =>
  (app: Express): void => {
    const router = Router();
    router.use(requireToken(keys, ['gateway']));
    router.get('/cases/:identityId', reply(createCaseRoute(deps)));
    router.post('/cases/:identityId/evaluate', jsonBody({ limit: 1024 * 1024 }), reply(createEvaluateRoute(deps)));
    router.post('/cases/:identityId/re-evaluation', jsonBody(), reply(createReEvaluateRoute(deps)));
    router.post('/evaluations', jsonBody({ limit: 2 * 1024 * 1024 }), reply(createEvaluateExportedRoute(deps)));
    router.post('/trust/:collection', jsonBody({ limit: TRUST_FILE_LIMIT }), reply(createTrustImportRoute(deps)));
    router.get('/trust-report', reply(createTrustReportRoute(deps)));
    router.get('/trust/:collection', reply(createTrustListRoute(deps)));
    router.delete('/trust/:collection/:id', reply(createTrustRemovalRoute(deps)));
    router.get('/doctor', reply(createDoctorRoute('verification-worker')));
    app.use('/internal/v1', router);
  };
