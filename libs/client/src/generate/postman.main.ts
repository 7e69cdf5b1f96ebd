import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from './operations.ts';
import { postmanCollection } from './postman.ts';

/* npm run postman: the OpenAPI document on standard input, the collection on standard output. */

const document = JSON.parse(readFileSync(0, 'utf8')) as OpenApiDocument;
process.stdout.write(`${JSON.stringify(postmanCollection(document), null, 2)}\n`);
