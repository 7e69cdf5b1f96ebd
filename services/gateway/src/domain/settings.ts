import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_SETTINGS, present, type TenantSettings, type VerificationSettings } from '@assay/contracts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396: objects merge, null removes, everything else replaces. */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  // A map, so that a member `__proto__` stays a member, which the schema refuses, and changes no
  // prototype.
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
};

type Filled<T> = T extends object ? { [K in keyof T]-?: Filled<NonNullable<T[K]>> } : T;

type Adjudication = NonNullable<TenantSettings['adjudication']>;

/** Every setting of a tenant, with the default for those it has not set. */
export interface EffectiveSettings {
  sandbox: boolean;
  issuingSources: { enabled: boolean; userCategory: 'COMMERCIAL' | 'GOVERNMENT'; recheckAfterSeconds?: number };
  adjudication: Filled<Omit<Adjudication, 'noticeEmail'>> & Pick<Adjudication, 'noticeEmail'>;
  policy: string;
  acceptSpecimens: boolean;
  acceptedIssuers?: string[];
  allowedOrigins: string[];
  transactionLifetimeSeconds: number;
  pauseResume: { enabled: boolean; pauseDurationSeconds: number };
  videosInProof: boolean;
  limits: { maxFileBytes: number; requestsPerMinute: number };
  retention: { tombstoneSeconds: number; deliveryLogSeconds: number; proofGraceSeconds: number };
  liveCapture: { timeoutSeconds: number };
  chip: { timeoutSeconds: number };
  otp: { timeoutSeconds: number; attempts: number };
  capture: NonNullable<TenantSettings['capture']>;
}

export const effectiveSettings = (settings: TenantSettings): EffectiveSettings =>
  mergePatch(DEFAULT_SETTINGS, settings) as EffectiveSettings;

/**
 * Settings that only administrators of the suite may change, not those of the tenant: they decide
 * load, cost and the value of a proof.
 */
const GRANTED = ['limits', 'issuingSources', 'acceptSpecimens'] as const satisfies readonly (keyof TenantSettings)[];

/** The first of these settings that differs. */
export const changedGrant = (before: TenantSettings, after: TenantSettings): string | undefined =>
  GRANTED.find((name) => !isDeepStrictEqual(before[name], after[name]));

/**
 * Whether a change of settings would send the stored secret of the webhook itself, not a signature
 * made with it, where it did not go before: whoever may change settings could have it sent to a
 * receiver of their own, and forge notifications with it.
 */
export const sendsStoredSecret = (before: TenantSettings, after: TenantSettings, patch: unknown): boolean => {
  const [was, is] = [before.webhook, after.webhook];
  if (was?.secret === undefined || is?.secret !== was.secret || is.mode !== 'API_KEY') return false;
  const { webhook } = (patch ?? {}) as { webhook?: { secret?: unknown } | null };
  return webhook?.secret === undefined && (was.mode !== 'API_KEY' || was.url !== is.url);
};

/** The part of the settings that a verification needs; the identity keeps the one it began with. */
export const verificationSettings = (
  { adjudication: { enabled, fourEyes, expirySeconds }, ...settings }: EffectiveSettings,
  policyVersion: string,
): VerificationSettings => ({
  policy: { name: settings.policy, version: policyVersion },
  acceptSpecimens: settings.acceptSpecimens,
  ...present({ acceptedIssuers: settings.acceptedIssuers }),
  issuingSources: settings.issuingSources,
  adjudication: { enabled, fourEyes, expirySeconds },
  ...(settings.sandbox ? { sandbox: {} } : {}),
});
