import { createHash, createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** How the issuer answers the next sign-in; correctly if nothing is set. */
export interface Answers {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  foreignKey?: boolean;
  /** Does not answer at all. */
  away?: boolean;
  /** Answers with more than anybody reads. */
  huge?: boolean;
  /** Accepts a code any number of times. */
  takesCodesAgain?: boolean;
}

const newKey = (kid: string) => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });

/** An ID token, signed unless the header's `alg` is `none`. */
const tokenOf = (claims: object, header: { alg: string }, key: KeyObject): string => {
  const content = `${encoded(header)}.${encoded(claims)}`;
  if (header.alg === 'none') return `${content}.`;
  // The public key used as a shared secret: a client that accepts it as one admits anybody.
  const published = createPublicKey(key).export({ format: 'pem', type: 'spki' });
  const signature =
    header.alg === 'HS256'
      ? createHmac('sha256', published).update(content).digest()
      : sign('sha256', Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
};

const CLIENT_ID = 'assay';

/** An OpenID Connect issuer that can be made to lie. It asks for no password. */
export const startPlayedIssuer = async () => {
  let key = newKey('first');
  let answers: Answers = {};
  let nth = 0;
  const asked = new Map<string, { nonce: string; challenge: string; sub: string; groups: string[]; name: string }>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const idToken = (code: string): string => {
    const { nonce, sub, groups, name } = asked.get(code)!;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: url, aud: CLIENT_ID, sub, nonce, iat: now, exp: now + 60, groups, name, ...answers.claims };
    const header = { alg: 'RS256', kid: key.kid, ...answers.header };
    return tokenOf(claims, header, answers.foreignKey ? newKey('other').privateKey : key.privateKey);
  };
  const described = {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
  const answerTo = (path: string, form: URLSearchParams): object => {
    if (path === '/.well-known/openid-configuration') return described;
    if (path === '/jwks') return { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig' }] };
    const code = form.get('code') ?? '';
    const known = asked.get(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!known || known.challenge !== challenge) return { error: 'invalid_grant' };
    const token = idToken(code);
    if (!answers.takesCodesAgain) asked.delete(code);
    return { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token };
  };
  server.on('request', async (request, response) => {
    if (answers.away) return request.socket.destroy();
    const answer = answerTo(request.url ?? '', new URLSearchParams(await text(request)));
    response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer) + (answers.huge ? ' '.repeat(2 * 1024 * 1024) : ''));
  });

  return {
    url,
    answers: (next: Answers): void => {
      answers = next;
    },
    rotate: (): void => {
      nth += 1;
      key = newKey(`key ${nth}`);
    },
    /**
     * The person signs in where the suite sent the browser. Returns the query of the redirect back.
     */
    signIn: (address: string, sub: string, groups: string[]): string => {
      const sent = new URL(address).searchParams;
      const code = `code-${sub}-${asked.size}-${Math.random()}`;
      const [nonce, challenge] = [sent.get('nonce') ?? '', sent.get('code_challenge') ?? ''];
      asked.set(code, { nonce, challenge, sub, groups, name: `Name of ${sub}` });
      return new URLSearchParams({ code, state: sent.get('state') ?? '' }).toString();
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
