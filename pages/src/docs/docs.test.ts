import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { find, type Place, placesOf } from './find.ts';
import { limitsOf } from './openapi.ts';
import { tokensOf } from './tokens.ts';

test('syntax colours do not change a text', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('sh', 'js', 'python', 'json', 'output'), (text, language) => {
      expect(
        tokensOf(text, language)
          .map(([, part]) => part)
          .join(''),
      ).toBe(text);
    }),
  );
});

test('comments, strings and keywords of a language are distinguished', () => {
  expect(tokensOf(`const a = 'for'; // for`, 'js')).toEqual([
    ['word', 'const'],
    [undefined, ' a = '],
    ['string', `'for'`],
    [undefined, '; '],
    ['comment', '// for'],
  ]);
  expect(tokensOf('curl "$SUITE#x"', 'sh').map(([kind]) => kind)).toEqual(['word', undefined, 'string']);
});

const place = (title: string, text: string): Place => ({ page: 'Guide', title, href: `/${title}`, text });

test('a search finds the sections with every word, titles first', () => {
  const places = [
    place('Consent', 'what a person agrees to'),
    place('Proof', 'a consent is in it'),
    place('Key', 'none'),
  ];
  expect(find(places, 'consent').map(({ title }) => title)).toEqual(['Consent', 'Proof']);
  expect(find(places, 'consent person').map(({ title }) => title)).toEqual(['Consent']);
  expect(find(places, ' ')).toEqual([]);
});

test('calls, webhooks and shapes of the reference are found, a shape by its fields too', () => {
  const places = placesOf({
    paths: { '/svc/v1/identities': { post: { operationId: 'createIdentity', summary: 'Create an identity' } } },
    webhooks: { evaluation: { post: { summary: 'An evidence was evaluated' } } },
    components: { schemas: { Consent: { properties: { validityPeriod: {} } }, Code: {} } },
  });
  const hrefs = (wanted: string) => find(places, wanted).map(({ href }) => href);
  expect(hrefs('createidentity')).toEqual(['/docs/reference#createIdentity']);
  expect(hrefs('webhook')).toEqual(['/docs/reference#webhook-evaluation']);
  expect(hrefs('validityPeriod')).toEqual(['/docs/reference#shape-Consent']);
});

test('a call is found by its path and by what it takes, and a word by what the documentation calls it', () => {
  const schema = { properties: { returnUrl: {} } };
  const post = { operationId: 'createIdentity', summary: 'Create', requestBody: { content: { json: { schema } } } };
  const get = { operationId: 'listIdentities', summary: 'Identities, listed', parameters: [{ name: 'cursor' }] };
  const places = [
    place('Too many requests', 'wait'),
    ...placesOf({
      paths: { '/a/identities/{id}': { get }, '/a/identities': { post } },
      webhooks: {},
      components: { schemas: {} },
    }),
  ];
  const titles = (wanted: string) => find(places, wanted).map(({ title }) => title);
  expect(titles('/identities')[0]).toBe('Create');
  expect(titles('returnurl')).toEqual(['Create']);
  expect(titles('pagination')).toEqual(['Identities, listed']);
  expect(titles('rate limit')).toEqual(['Too many requests']);
  expect(titles('rate limiting')).toEqual(['Too many requests']);
  expect(titles('swagger')).toEqual(['API reference']);
  expect(titles('constructor')).toEqual([]);
});

test('limits are described in words', () => {
  expect(limitsOf({ minimum: 1, maximum: 60 })).toEqual(['1 to 60']);
  expect(limitsOf({ maxLength: 64, format: 'uri' })).toEqual(['uri', 'up to 64 characters']);
  expect(limitsOf({ minItems: 1 })).toEqual(['from 1 items']);
});
