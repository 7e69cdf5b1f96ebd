import { present } from '@assay/contracts';
import type { OpenApiDocument } from './operations.ts';

interface Item {
  name: string;
  request: object;
}

const urlOf = (path: string) => {
  const segments = path
    .split('/')
    .filter(Boolean)
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  const variable = segments.filter((one) => one.startsWith(':')).map((one) => ({ key: one.slice(1), value: '' }));
  return { raw: `{{suite}}/${segments.join('/')}`, host: ['{{suite}}'], path: segments, variable };
};

const bodyOf = (content: Record<string, { schema: { properties?: Record<string, { format?: string }> } }>) => {
  const form = content['multipart/form-data'];
  if (form)
    return {
      mode: 'formdata',
      formdata: Object.entries(form.schema.properties ?? {}).map(([key, { format }]) => ({
        key,
        type: format === 'binary' ? 'file' : 'text',
      })),
    };
  return { mode: 'raw', raw: '{}', options: { raw: { language: 'json' } } };
};

/**
 * The API as a Postman collection (format 2.1): a folder for each group, `suite` and `key` as
 * variables.
 */
export const postmanCollection = (document: OpenApiDocument): object => {
  const folders = new Map<string, Item[]>();
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { operationId, summary, tags, requestBody }] of Object.entries(methods)) {
      const item: Item = {
        name: summary ?? operationId,
        request: {
          method: method.toUpperCase(),
          url: urlOf(path),
          ...present({ body: requestBody && bodyOf(requestBody.content) }),
        },
      };
      const folder = tags?.[0] ?? 'Other';
      folders.set(folder, [...(folders.get(folder) ?? []), item]);
    }
  return {
    info: { name: 'Assay', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'apikey', type: 'string' },
        { key: 'value', value: '{{key}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'suite', value: 'http://127.0.0.1:8080' },
      { key: 'key', value: '' },
    ],
    item: [...folders].map(([name, item]) => ({ name, item })),
  };
};
