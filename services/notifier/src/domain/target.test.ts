import { describe, expect, test } from '@jest/globals';
import { hostOf, isAddress, mayReach, parseTarget } from './target.ts';

describe('the address of a webhook', () => {
  test.each([
    ['a port of another protocol', 'http://client.example:25/'],
    ['a port of a database', 'http://client.example:27017/'],
    ['a user and a password', 'https://user:secret@client.example/'],
    ['a user', 'https://user@client.example/'],
    ['a space', 'https://client.example/a hook'],
    ['a line break', 'https://client.example/\nhook'],
    ['another scheme', 'ftp://client.example/'],
    ['no scheme', 'client.example/hook'],
    ['no host', 'https:///'],
  ])('with %s is refused', (_what, text) => {
    expect(parseTarget(text)).toBeUndefined();
  });

  test.each(['https://client.example/hook', 'http://client.example:8080/', 'https://[2606:4700::1111]/'])(
    '%s is accepted',
    (text) => {
      expect(parseTarget(text)?.href).toBe(text);
    },
  );

  test('names its host as it is used for the connection', () => {
    const hosts = ['https://client.example./', 'https://[2606:4700::1111]:8443/', 'https://93.184.216.34/'];
    expect(hosts.map((text) => hostOf(new URL(text)))).toEqual(['client.example', '2606:4700::1111', '93.184.216.34']);
    expect(hosts.map((text) => isAddress(hostOf(new URL(text))))).toEqual([false, true, true]);
  });
});

test('a name is no permitted address before it is resolved', () => {
  expect(mayReach('client.example', [])).toBe(false);
});
