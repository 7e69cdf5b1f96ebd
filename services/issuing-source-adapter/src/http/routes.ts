import { createDoctorRoute, ok, reply } from '@assay/http';
import { Router } from 'express';
import { coverageOf } from '../domain/coverage.ts';
import type { Source } from '../domain/source.ts';

/**
 * GET /internal/v1/coverage: the scope tables in force. GET /internal/v1/doctor: fitness for
 * production.
 */
export const routes = (sources: readonly Source[]): Router =>
  Router()
    .get(
      '/coverage',
      reply(() => ok(coverageOf(sources))),
    )
    .get('/doctor', reply(createDoctorRoute('issuing-source-adapter')));
