import axios from 'axios';
import { readKeys, type VerificationKey } from '../proof/keys.ts';
import { UnusableInput } from '../proof/report.ts';
import { readText } from './files.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

const KEYS_LIMIT = 1024 * 1024;
const GIVE_KEYS =
  'give the published keys with --jwks (a file, or the address of a /.well-known/jwks.json), or name the suite with --url';

const fetchText = async (url: string): Promise<string> => {
  const { data } = await axios
    .get<string>(url, {
      responseType: 'text',
      transformResponse: (text: string) => text,
      timeout: 10_000,
      maxContentLength: KEYS_LIMIT,
      proxy: false,
      // Whoever is led elsewhere, to http even, trusts whoever answers there.
      maxRedirects: 0,
    })
    .catch((error: { code?: string; response?: { status: number } }) => {
      throw new UnusableInput(
        `the keys at ${url} cannot be had: ${error.response?.status ?? error.code ?? 'error'}; ${GIVE_KEYS}`,
      );
    });
  return data;
};

/**
 * The keys to verify with: from `--jwks` (a URL or a file: JWKS, PEM or certificate), else those
 * the suite publishes.
 */
export const loadKeys = async (jwks: string | undefined, suite: SuiteOptions): Promise<VerificationKey[]> => {
  if (jwks === undefined) return readKeys(await fetchText(`${findSuite(suite, GIVE_KEYS).url}/.well-known/jwks.json`));
  return readKeys(/^https?:\/\//.test(jwks) ? await fetchText(jwks) : await readText(jwks));
};
