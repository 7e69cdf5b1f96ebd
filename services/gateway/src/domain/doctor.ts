import type { CheckName, DoctorReply, Finding, ServiceFindings, TenantSettings } from '@assay/contracts';

export type PlacedFinding = DoctorReply['findings'][number];

/** The answer of one service, and when it arrived by the clock of the gateway. */
export interface Examined extends ServiceFindings {
  service: string;
  answeredAt: Date;
}

const FEW_SECONDS = 2;
const MANY_SECONDS = 30;
/** So many ids a message names. */
const NAMED = 5;

const placed = (where: string, { check, status, message }: Finding): PlacedFinding => ({
  check,
  status,
  message,
  where,
});

/** The first few ids, and how many there are. */
const listed = (ids: readonly string[]): string =>
  ids.length > NAMED ? `${ids.slice(0, NAMED).join(', ')} and ${ids.length - NAMED} more` : ids.join(', ');

/**
 * How far the clock of a service is from that of the gateway. The answer of a service contains its
 * time.
 */
const clockOf = ({ service, at, answeredAt }: Examined): PlacedFinding => {
  const seconds = Math.abs(answeredAt.getTime() - new Date(at).getTime()) / 1000;
  const message = `the clock is ${seconds.toFixed(1)} s off the gateway's`;
  const check = 'clocks';
  if (seconds > MANY_SECONDS) return placed(service, { check, status: 'PROBLEM', message });
  if (seconds > FEW_SECONDS) return placed(service, { check, status: 'WARNING', message });
  return placed(service, { check, status: 'OK', message: "as the gateway's" });
};

/** Services that seal with the same key: each can open what the other stores. */
const sharedKeys = (examined: readonly Examined[]): PlacedFinding => {
  const check = 'master-keys-differ';
  const keyed = examined.filter(({ masterKeyFingerprint }) => masterKeyFingerprint !== undefined);
  const same = keyed.filter(({ service, masterKeyFingerprint }) =>
    keyed.some((other) => other.service !== service && other.masterKeyFingerprint === masterKeyFingerprint),
  );
  return same.length > 0
    ? placed('suite', {
        check,
        status: 'PROBLEM',
        message: `one key for ${listed(same.map(({ service }) => service))}`,
      })
    : placed('suite', { check, status: 'OK', message: `${keyed.length} services with a key of their own` });
};

/** The findings of the services about themselves, and those that only a comparison shows. */
export const servicesFindings = (examined: readonly Examined[]): PlacedFinding[] => [
  ...examined.flatMap(({ service, findings }) => findings.map((finding) => placed(service, finding))),
  ...examined.filter(({ service }) => service !== 'gateway').map(clockOf),
  sharedKeys(examined),
];

/** A service that did not answer. */
export const unanswered = (service: string): PlacedFinding =>
  placed(service, { check: 'services', status: 'PROBLEM', message: 'does not answer' });

interface TenantLike {
  tenantId: string;
  settings: TenantSettings;
}

/** What is wrong with some tenants, and what is said where it is with none. */
interface TenantsCheck {
  check: CheckName;
  status: Finding['status'];
  tenants: readonly TenantLike[];
  wrong: string;
  fine: string;
}

const aboutTenants = ({ check, status, tenants, wrong, fine }: TenantsCheck): PlacedFinding =>
  tenants.length > 0
    ? placed('gateway', { check, status, message: `${wrong}: ${listed(tenants.map(({ tenantId }) => tenantId))}` })
    : placed('gateway', { check, status: 'OK', message: fine });

const isSandbox = ({ settings }: TenantLike): boolean => settings.sandbox === true;

const isWeak = ({ url, mode }: NonNullable<TenantSettings['webhook']>): boolean =>
  !/^https:/i.test(url) || mode === 'NONE';

/** Findings about the settings of the tenants. */
export const tenantsFindings = (tenants: readonly TenantLike[]): PlacedFinding[] => {
  const real = tenants.filter((tenant) => !isSandbox(tenant));
  return [
    aboutTenants({
      check: 'specimens',
      status: 'PROBLEM',
      tenants: real.filter(({ settings }) => settings.acceptSpecimens === true),
      wrong: 'tenants that accept specimen documents',
      fine: 'no tenant accepts them',
    }),
    aboutTenants({
      check: 'sandbox',
      status: 'WARNING',
      tenants: tenants.filter(isSandbox),
      wrong: 'sandbox tenants',
      fine: 'no sandbox tenant',
    }),
    aboutTenants({
      check: 'four-eyes',
      status: 'WARNING',
      tenants: real.filter(({ settings: { adjudication } }) => adjudication?.fourEyes && !adjudication.peopleOnly),
      wrong: 'four eyes may be two keys of one person at',
      fine: 'four eyes are two people',
    }),
    aboutTenants({
      check: 'webhooks',
      status: 'WARNING',
      tenants: real.filter(({ settings: { webhook } }) => webhook && isWeak(webhook)),
      wrong: 'webhooks unsigned or in clear, of',
      fine: 'signed and by https',
    }),
  ];
};

/** Findings about the issuer of the sign-in. */
export const issuerFindings = (
  answer: 'ADMITS' | 'AWAY' | 'OTHER_ISSUER' | 'REFUSES_REDIRECT' | 'UNKNOWN',
): PlacedFinding[] => {
  const issuer = (status: Finding['status'], message: string) =>
    placed('gateway', { check: 'sign-in-issuer', status, message });
  const redirect = (status: Finding['status'], message: string) =>
    placed('gateway', { check: 'sign-in-redirect', status, message });
  if (answer === 'AWAY') return [issuer('PROBLEM', 'the issuer of OIDC_ISSUER does not answer')];
  if (answer === 'OTHER_ISSUER')
    return [issuer('PROBLEM', 'what OIDC_ISSUER names describes itself as another issuer, or not at all')];
  const reached = issuer('OK', 'it answers');
  if (answer === 'REFUSES_REDIRECT')
    return [reached, redirect('PROBLEM', 'the issuer refuses OIDC_CLIENT_ID with PUBLIC_URL/sign-in/callback')];
  return answer === 'ADMITS' ? [reached, redirect('OK', 'the issuer takes it')] : [reached];
};

/** Keys to examine. */
export interface KeyAges {
  /** Made more than a year ago. */
  old: readonly string[];
  /** Not used within ninety days, and older than that. */
  unused: readonly string[];
  administrators: { working: number; endless: number };
}

const aboutKeys = (check: CheckName, ids: readonly string[], wrong: string, fine: string): PlacedFinding =>
  ids.length > 0
    ? placed('gateway', { check, status: 'WARNING', message: `${wrong}: ${listed(ids)}` })
    : placed('gateway', { check, status: 'OK', message: fine });

/** Findings about the age of API keys. */
export const keysFindings = ({ old, unused, administrators }: KeyAges): PlacedFinding[] => {
  const { working, endless } = administrators;
  const wrong = working < 2 ? 'there is only one administrator key' : `${endless} administrator keys never expire`;
  const isWrong = working < 2 || endless > 0;
  return [
    aboutKeys('api-key-age', old, 'older than a year', 'none is older than a year'),
    aboutKeys('api-key-use', unused, 'not used for ninety days', 'all were used within ninety days'),
    placed('gateway', {
      check: 'administrators',
      status: isWrong ? 'WARNING' : 'OK',
      message: isWrong ? wrong : `${working} keys, all of which expire`,
    }),
  ];
};

/** Checks that no service reported were not made: they are listed as UNKNOWN. */
export const notMade = (checks: readonly CheckName[], findings: readonly PlacedFinding[]): PlacedFinding[] =>
  checks
    .filter((check) => !findings.some((found) => found.check === check))
    .map((check) => placed('suite', { check, status: 'UNKNOWN', message: 'no service reported it' }));
