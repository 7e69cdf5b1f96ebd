import { ApiError, ok, reply } from '@assay/http';
import { Router } from 'express';
import { publishedSchemas } from '../domain/published-schemas.ts';

/**
 * GET /schemas lists the JSON Schemas of the archive's three files; GET /schemas/<file> is one of
 * them.
 */
export const schemaRoutes = (): Router => {
  const schemas = publishedSchemas();
  return Router()
    .get(
      '/schemas',
      reply(() => ok({ items: [...schemas.keys()] })),
    )
    .get(
      '/schemas/:name',
      reply((request) => {
        const schema = schemas.get(String(request.params.name));
        if (!schema) throw new ApiError('NOT_FOUND');
        return ok(schema, { 'content-type': 'application/schema+json' });
      }),
    );
};
