import { expect, test } from '@jest/globals';
import { postmanCollection } from './postman.ts';

const form = { 'multipart/form-data': { schema: { properties: { Portrait: { type: 'string', format: 'binary' } } } } };
const document = {
  components: { schemas: {} },
  paths: {
    '/svc/v1/identities/{identityId}': {
      get: { operationId: 'getIdentity', summary: 'Retrieve', tags: ['Identities'], responses: {} },
    },
    '/svc/v1/identities/{identityId}/attributes/portrait/capture': {
      post: { operationId: 'capturePortrait', tags: ['Documents'], requestBody: { content: form }, responses: {} },
    },
  },
};

test('the collection has every call in the folder of its group', () => {
  expect(postmanCollection(document)).toMatchObject({
    auth: { type: 'apikey' },
    item: [
      {
        name: 'Identities',
        item: [
          {
            name: 'Retrieve',
            request: {
              method: 'GET',
              url: {
                raw: '{{suite}}/svc/v1/identities/:identityId',
                path: ['svc', 'v1', 'identities', ':identityId'],
                variable: [{ key: 'identityId', value: '' }],
              },
            },
          },
        ],
      },
      {
        name: 'Documents',
        item: [
          {
            name: 'capturePortrait',
            request: { body: { mode: 'formdata', formdata: [{ key: 'Portrait', type: 'file' }] } },
          },
        ],
      },
    ],
  });
});
