import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenApiDocument, operationRoutes, operationTypes } from './operations.ts';

/**
 * npm run client:types: the OpenAPI document on standard input, the client's types and routes in
 * src/api, the routes also for the Python client.
 */

const document = JSON.parse(readFileSync(0, 'utf8')) as OpenApiDocument;
const api = join(import.meta.dirname, '../api');
writeFileSync(join(api, 'operations.d.ts'), operationTypes(document));
const routes = `${JSON.stringify(operationRoutes(document), null, 1)}\n`;
writeFileSync(join(api, 'operations.json'), routes);
writeFileSync(join(import.meta.dirname, '../../../../clients/python/assay/operations.json'), routes);
