// A real OpenID Connect issuer (oidc-provider) in a process of its own:
// node tests/setup/issuer.mjs REDIRECT_URI
// The first line that it prints is its address. It accepts every name without a password;
// `desk.NAME` is in the group desk.
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [redirectUri = ''] = process.argv.slice(2);
const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'assay',
      client_secret: 'a secret of the suite',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub', 'groups'], profile: ['name'] },
  pkce: { required: () => true },
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({ sub: accountId, name: `Name of ${accountId}`, groups: [accountId.split('.')[0]] }),
  }),
  // The issuer's own development pages: a form for the name, and one for the consent.
  features: { devInteractions: { enabled: true } },
  cookies: { keys: ['a key of the test'] },
});
server.on('request', provider.callback());
process.stdout.write(`${issuer}\n`);
