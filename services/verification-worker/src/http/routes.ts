import { requireToken } from '@assay/http';
import { type Express, Router } from 'express';
import type { Worker } from '../service.ts';

/** Every internal route of verification-worker; all need a token of the suite. */
export const routes =
  (_worker: Worker, secret: string) =>
  (app: Express): void => {
    const router = Router();
    router.use(requireToken(secret));
    app.use('/internal/v1', router);
  };
