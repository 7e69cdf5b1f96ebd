import { ok, reply } from '@assay/http';
import { Router } from 'express';
import { coverageOf } from '../domain/coverage.ts';
import type { Source } from '../domain/source.ts';

/** GET /internal/v1/coverage: the scope tables in force. */
export const coverageRoutes = (sources: readonly Source[]): Router =>
  Router().get(
    '/coverage',
    reply(() => ok(coverageOf(sources))),
  );
