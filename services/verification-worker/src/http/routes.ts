import { jsonBody, reply, requireToken } from '@assay/http';
import { type Express, Router } from 'express';
import type { Worker } from '../service.ts';
import { createCaseRoute, createEvaluateExportedRoute, createEvaluateRoute, createReEvaluateRoute } from './cases.ts';

/** Every internal route of verification-worker; all need a token of the suite. */
export const routes =
  (worker: Worker, secret: string) =>
  (app: Express): void => {
    const router = Router();
    router.use(requireToken(secret));
    router.get('/cases/:identityId', reply(createCaseRoute(worker)));
    router.post('/cases/:identityId/evaluate', jsonBody({ limit: 1024 * 1024 }), reply(createEvaluateRoute(worker)));
    router.post('/cases/:identityId/re-evaluation', jsonBody(), reply(createReEvaluateRoute(worker)));
    router.post('/evaluations', jsonBody({ limit: 8 * 1024 * 1024 }), reply(createEvaluateExportedRoute(worker)));
    app.use('/internal/v1', router);
  };
