import { SERVICE_NAMES } from '../services.ts';
import { brokerAddressesOf, goesInClear, mongoAddressOf, staysHere, weaknessOf } from './addresses.ts';
import type { CheckName, Finding, FindingStatus } from './checks.ts';

/**
 * The variables that a service was started with: their values, and which of them came from files.
 */
export interface Environment {
  service: string;
  values: Readonly<Record<string, string | undefined>>;
  fromFiles: readonly string[];
}

/**
 * The resulting variables: NAME_FILE is used if NAME is not set. `read` gives the content of a
 * file, or undefined if there is none.
 */
export const environmentOf = (
  service: string,
  variables: Readonly<Record<string, string | undefined>>,
  read: (file: string) => string | undefined,
): Environment => {
  const files = Object.entries(variables).flatMap(([name, file]) => {
    const base = /^(.+)_FILE$/.exec(name)?.[1];
    const content = base && file && !variables[base] ? read(file) : undefined;
    return base && content !== undefined ? [[base, content.trim()] as const] : [];
  });
  // An empty value counts as not set.
  const given = Object.entries(variables).filter(([, value]) => value !== '');
  return { service, values: Object.fromEntries([...given, ...files]), fromFiles: files.map(([name]) => name) };
};

/** One check; it returns undefined if it does not concern the service. */
type Check = (environment: Environment) => Finding | undefined;
type Values = Environment['values'];

const finding = (check: CheckName, status: FindingStatus, message: string): Finding => ({ check, status, message });
/** OK, unless something is wrong. */
const unless = (check: CheckName, status: FindingStatus, wrong: string | undefined, fine: string): Finding =>
  wrong === undefined ? finding(check, 'OK', fine) : finding(check, status, wrong);
/** A check for these services only. */
const forServices =
  (services: readonly string[], check: (values: Values) => Finding | undefined): Check =>
  ({ service, values }) =>
    services.includes(service) ? check(values) : undefined;

const settings: Check[] = [
  forServices(['gateway', 'issuing-source-adapter'], ({ ASSAY_ENV }) =>
    unless('environment', 'PROBLEM', ASSAY_ENV === 'local' ? 'ASSAY_ENV is local' : undefined, 'production'),
  ),
  ({ values: { CRASH_DIR } }) =>
    unless('test-hooks', 'PROBLEM', CRASH_DIR ? 'CRASH_DIR is set: a file there ends the process' : undefined, 'none'),
  forServices(['gateway'], ({ SEED_FILE }) =>
    unless(
      'seed-file',
      'WARNING',
      SEED_FILE ? 'SEED_FILE is set: the keys in it are in clear on a disk' : undefined,
      'not set',
    ),
  ),
  forServices(['issuing-source-adapter'], ({ DVS_URL, AAMVA_URL, CREDENTIALS_FILE }) => {
    const asked = [DVS_URL, AAMVA_URL].filter((url) => url !== undefined && url !== '');
    const simulated = asked.some((url) => staysHere(url as string));
    const wrong = simulated ? 'a source is on this machine, as simulated ones are' : 'sources without CREDENTIALS_FILE';
    const isWrong = simulated || (asked.length > 0 && !CREDENTIALS_FILE);
    return unless('simulated-sources', 'PROBLEM', isWrong ? wrong : undefined, `${asked.length} sources`);
  }),
  forServices(['verification-worker'], ({ TRUST_SEED_FILE }) =>
    unless(
      'simulated-authorities',
      'PROBLEM',
      TRUST_SEED_FILE ? 'TRUST_SEED_FILE is set: what it holds is trusted for chips' : undefined,
      'TRUST_SEED_FILE is not set',
    ),
  ),
  ({ values: { LOG_LEVEL = 'info' } }) =>
    unless('log-level', 'WARNING', /^(trace|debug)$/.test(LOG_LEVEL) ? `it is ${LOG_LEVEL}` : undefined, LOG_LEVEL),
];

const DISTINCT_BYTES = 16;
const weaknessOfKey = (base64: string): string | undefined => {
  const bytes = [...atob(base64.replaceAll('-', '+').replaceAll('_', '/'))].map((char) => char.charCodeAt(0));
  if (new Set(bytes).size < DISTINCT_BYTES) return 'it has few different bytes: make one with openssl rand -base64 32';
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? 'it is a text in base64: make one with openssl rand -base64 32' : undefined;
};

const SECRETS =
  /^((FURTHER_)?MASTER_KEYS?|WRAPPING_KEYS|INTERNAL_KEYS|MONGO_URL|AMQP_URL|SMTP_URL|TLS_KEY|\w+_TOKEN|\w*SECRET\w*)$/;

const secrets: Check[] = [
  forServices(['gateway', 'proof-builder', 'notifier'], ({ MASTER_KEY }) =>
    MASTER_KEY === undefined ? undefined : unless('master-key', 'PROBLEM', weaknessOfKey(MASTER_KEY), 'looks random'),
  ),
  ({ values, fromFiles }) => {
    const inClear = Object.keys(values).filter(
      (name) => SECRETS.test(name) && values[name] && !fromFiles.includes(name),
    );
    const wrong = inClear.length > 0 ? `given as variables, not as files: ${inClear.sort().join(', ')}` : undefined;
    return unless('secrets-in-files', 'WARNING', wrong, 'given as files');
  },
];

const engines: Check[] = [
  ({ values: { MONGO_URL } }) => {
    const address = MONGO_URL === undefined ? undefined : mongoAddressOf(MONGO_URL);
    if (!address) return undefined;
    const weakness = weaknessOf(address.password);
    const wrong = address.user ? weakness && `the password of MONGO_URL: ${weakness}` : 'MONGO_URL names no user';
    return unless('database-login', 'PROBLEM', wrong, 'a user with a password');
  },
  ({ values: { MONGO_URL } }) =>
    MONGO_URL === undefined
      ? undefined
      : unless('database-tls', 'WARNING', goesInClear(MONGO_URL) ? 'no tls=true' : undefined, 'encrypted or local'),
  ({ values: { AMQP_URL } }) => {
    const [address] = AMQP_URL === undefined ? [] : brokerAddressesOf(AMQP_URL);
    if (address === undefined || !URL.canParse(address)) return undefined;
    const { username, password } = new URL(address);
    const weakness = weaknessOf(decodeURIComponent(password));
    const wrong = username === 'guest' ? 'the user is guest' : weakness && `the password of AMQP_URL: ${weakness}`;
    return unless('broker-login', 'PROBLEM', wrong, 'a user of its own');
  },
  ({ values: { AMQP_URL } }) =>
    AMQP_URL === undefined
      ? undefined
      : unless('broker-tls', 'WARNING', goesInClear(AMQP_URL) ? 'not amqps' : undefined, 'encrypted or local'),
];

/** Where people sign in with OpenID Connect. */
const signIn: Check[] = [
  forServices(['gateway'], ({ OIDC_ISSUER }) => {
    if (!OIDC_ISSUER) return finding('sign-in-issuer', 'OK', 'keys alone: OIDC_ISSUER is not set');
    const wrong = OIDC_ISSUER.startsWith('https:') ? undefined : 'OIDC_ISSUER is not https';
    return unless('sign-in-issuer', 'PROBLEM', wrong, 'https');
  }),
  forServices(['gateway'], ({ OIDC_ISSUER, OIDC_CLIENT_SECRET }) => {
    if (!OIDC_ISSUER) return finding('sign-in-secret', 'OK', 'keys alone');
    if (!OIDC_CLIENT_SECRET)
      return finding(
        'sign-in-secret',
        'WARNING',
        'no OIDC_CLIENT_SECRET: whoever has the client id may exchange codes',
      );
    const weakness = weaknessOf(OIDC_CLIENT_SECRET);
    return unless('sign-in-secret', 'PROBLEM', weakness && `OIDC_CLIENT_SECRET: ${weakness}`, 'long enough');
  }),
  forServices(['gateway'], ({ OIDC_ISSUER, PUBLIC_URL }) => {
    const wrong =
      OIDC_ISSUER && !PUBLIC_URL
        ? 'PUBLIC_URL is not set: the address people come back to follows the host of each request'
        : undefined;
    return unless('sign-in-redirect', 'PROBLEM', wrong, OIDC_ISSUER ? 'below PUBLIC_URL' : 'keys alone');
  }),
];

/** The named variables whose addresses are used without encryption. */
const inClear = (values: Values, names: readonly string[]): string | undefined => {
  const found = names.filter((name) => values[name] && goesInClear(values[name]));
  return found.length > 0 ? `in clear: ${found.join(', ')}` : undefined;
};

const OTHERS = SERVICE_NAMES.map((name) =>
  name === 'gateway' ? 'GATEWAY_INTERNAL_URL' : `${name.toUpperCase().replaceAll('-', '_')}_URL`,
);
const OUTSIDE = [
  'SIGNER_URL',
  'ENGINE_URL',
  'SMS_URL',
  'DVS_URL',
  'AAMVA_URL',
  'AAMVA_AUTHENTICATION_URL',
  'VAULT_ADDR',
  'KMS_ENDPOINT',
];
const ANYBODY = /^(true|all|0\.0\.0\.0\/0|::\/0)$/;
const LOOPBACK_RANGE = /^(127\.|::1|0\.0\.0\.0\/0|::\/0)/;

const addresses: Check[] = [
  ({ values }) => unless('service-tls', 'WARNING', inClear(values, OTHERS), 'encrypted or local'),
  ({ values }) => unless('outside-addresses', 'PROBLEM', inClear(values, OUTSIDE), 'encrypted, local or none'),
  forServices(['gateway'], ({ PUBLIC_URL }) => {
    if (!PUBLIC_URL)
      return finding('public-address', 'WARNING', 'PUBLIC_URL is not set: links name the host of a request');
    return unless('public-address', 'PROBLEM', goesInClear(PUBLIC_URL) ? 'PUBLIC_URL is not https' : undefined, 'set');
  }),
  forServices(['gateway'], ({ TRUSTED_PROXIES = '' }) => {
    const anybody = TRUSTED_PROXIES.split(',').some((range) => ANYBODY.test(range.trim()));
    const wrong = anybody ? 'TRUSTED_PROXIES believes everybody: callers choose their own address' : undefined;
    return unless('proxies', 'PROBLEM', wrong, TRUSTED_PROXIES === '' ? 'none is believed' : 'named');
  }),
  forServices(['notifier'], ({ ALLOW_PRIVATE_TARGETS = '' }) => {
    const ranges = ALLOW_PRIVATE_TARGETS.split(',').filter((range) => range.trim() !== '');
    if (ranges.some((range) => LOOPBACK_RANGE.test(range.trim())))
      return finding('private-targets', 'PROBLEM', 'ALLOW_PRIVATE_TARGETS lets webhooks reach this machine');
    const wrong = ranges.length > 0 ? 'ALLOW_PRIVATE_TARGETS lets webhooks reach private addresses' : undefined;
    return unless('private-targets', 'WARNING', wrong, 'none');
  }),
  forServices(['notifier'], ({ SMTP_URL, SMS_URL }) => {
    if (!SMTP_URL && !SMS_URL)
      return finding('one-time-codes', 'WARNING', 'neither SMTP_URL nor SMS_URL: no code is sent');
    const isClear = SMTP_URL !== undefined && goesInClear(SMTP_URL);
    const wrong = isClear ? 'SMTP_URL is not smtps: whether mail is encrypted is up to its server' : undefined;
    return unless('one-time-codes', 'WARNING', wrong, 'sent');
  }),
];

const looks = [...settings, ...secrets, ...signIn, ...engines, ...addresses];

/**
 * What the environment of a service tells about its readiness for production. A running service and
 * a file of variables are checked in the same way.
 */
export const environmentFindings = (environment: Environment): Finding[] =>
  looks.map((look) => look(environment)).filter((found) => found !== undefined);
