import { createAuthority } from '@assay/chip/software';
import { type Listening, listen } from '@assay/http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createChipSimulator } from './app.ts';

const nothing = (): void => undefined;
const log = { info: nothing, warn: nothing, error: nothing, debug: nothing, fatal: nothing };
let server: Listening;
beforeAll(async () => {
  const app = createChipSimulator({ authority: createAuthority(), now: () => new Date(), log });
  server = await listen(app, { port: 0 });
});
afterAll(() => server.close());

interface Read {
  dataGroups: Record<string, string>;
  dataGroup14?: string;
  activeAuthenticationResponse?: string;
}

/** What a reader reads from a chip that was made with these options. */
const read = async (more: object): Promise<Read> => {
  const post = async (path: string, body: object) => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await fetch(`http://127.0.0.1:${server.port}${path}`, sent)).json();
  };
  const holder = { documentNumber: 'L898902C3', surname: 'ERIKSSON', dateOfBirth: '1974-08-12', gender: 'F' };
  const made = { ...holder, givenNames: 'ANNA MARIA', dateOfExpiry: '2035-04-15', ...more };
  const { chipId } = (await post('/passports', made)) as { chipId: string };
  const challenge = Buffer.alloc(8, 1).toString('base64');
  return (await post(`/passports/${chipId}/read`, { activeAuthenticationChallenge: challenge })) as Read;
};

test('given names may come as one text or as a list', async () => {
  const [one, list] = [await read({}), await read({ givenNames: ['ANNA', 'MARIA'] })];
  expect(Buffer.from(list.dataGroups['1']!, 'base64').toString()).toContain('ERIKSSON<<ANNA<MARIA<');
  expect(list.dataGroups['1']).toBe(one.dataGroups['1']);
});

test('what is null in a request counts as absent', async () => {
  const unsaid = { issuingCountry: null, portrait: null, chipAuthentication: null, fault: null };
  expect((await read({ ...unsaid, activeAuthentication: null })).activeAuthenticationResponse).toBeUndefined();
  expect((await read({ ...unsaid, activeAuthentication: 'RSA' })).activeAuthenticationResponse).toBeDefined();
});

test('a clone gets a challenge that it cannot answer, also if the request names no authentication', async () => {
  expect((await read({})).activeAuthenticationResponse).toBeUndefined();
  expect((await read({ fault: 'cloned' })).activeAuthenticationResponse).toBeDefined();
  expect((await read({ fault: 'cloned', chipAuthentication: 'ECDH' })).activeAuthenticationResponse).toBeUndefined();
});

test('data group 14 is given for the chip-authentication step only by a chip that does it', async () => {
  const authenticated = await read({ chipAuthentication: 'ECDH' });
  expect(authenticated.dataGroup14).toBe(authenticated.dataGroups['14']);
  const answered = await read({ activeAuthentication: 'ECDSA' });
  expect(answered.dataGroups['14']).toBeDefined();
  expect(answered.dataGroup14).toBeUndefined();
});
