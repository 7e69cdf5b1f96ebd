import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { unavailable } from '@assay/http';
import type { Log } from '@assay/runtime';
import axios from 'axios';
import type { Signer } from '../domain/signer.ts';
import { type PublicJwk, publicJwkOf } from '../domain/signing-keys.ts';

const HEADER = Buffer.from('{"alg":"RS256"}').toString('base64url');

export interface Deps {
  url: string;
  /** Sent as a bearer token. */
  token?: string | undefined;
  timeoutMs?: number;
  log: Log;
}

/**
 * A signer outside of this service, such as a bridge to a key management service, so that no
 * private key is ever here. Two calls: `GET {url}/keys` answers a JWKS, the key that signs now
 * first; `POST {url}/sign {kid, alg: "RS256", input}` with `input` the base64 of what is to be
 * signed answers `{signature}` in base64url. A signature that its published key does not confirm is
 * not used.
 */
export const createRemoteSigner = ({ url, token, timeoutMs = 5000, log }: Deps): Signer => {
  const http = axios.create({
    baseURL: url,
    adapter: 'http',
    proxy: false,
    maxRedirects: 0,
    maxContentLength: 1024 * 1024,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  /** For the whole exchange: the option `timeout` counts silence only. */
  const within = () => ({ signal: AbortSignal.timeout(timeoutMs) });
  const failed = (step: string) => (error: { code?: string }) => {
    log.error({ msg: 'signer.failed', step, code: error.code });
    throw unavailable();
  };

  /** What a proxy says in its place is no answer, and says nothing about what is to be signed. */
  const understood = <T>(step: string, read: () => T): T => {
    try {
      return read();
    } catch {
      return failed(step)({ code: 'UNREADABLE' });
    }
  };

  const keys = async (): Promise<{ pem: string; jwk: PublicJwk }[]> => {
    const { data } = await http.get<{ keys: JsonWebKey[] }>('/keys', within()).catch(failed('keys'));
    return understood('keys', () =>
      data.keys.map((key) => {
        const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
        return { pem, jwk: publicJwkOf(pem) };
      }),
    );
  };
  const currentKey = async () => {
    const [current] = await keys();
    if (!current) return failed('no key')({});
    return current;
  };

  return {
    sign: async (content) => {
      const { pem, jwk } = await currentKey();
      const input = `${HEADER}.${Buffer.from(content).toString('base64url')}`;
      const body = { kid: jwk.kid, alg: 'RS256', input: Buffer.from(input).toString('base64') };
      const { data } = await http.post<{ signature: string }>('/sign', body, within()).catch(failed('sign'));
      const signature = understood('sign', () => Buffer.from(data.signature, 'base64url'));
      if (!verify('sha256', Buffer.from(input), pem, signature)) return failed('signature does not verify')({});
      return { jws: `${input}.${signature.toString('base64url')}`, kid: jwk.kid };
    },
    publicKeys: async () => (await keys()).map(({ jwk }) => jwk),
    // The one that signs now comes first; of the others the protocol says nothing more.
    list: async () => ({ keys: (await keys()).map(({ jwk: { kid } }, at) => ({ kid, signs: at === 0 })) }),
    current: async () => {
      const { pem, jwk } = await currentKey();
      return { kid: jwk.kid, publicPem: pem };
    },
  };
};
