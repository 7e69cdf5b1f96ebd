import type { Violation, WebhookSettings } from '@assay/contracts';

/** Headers a configured name may not take: each attempt has its own value of them. */
const TAKEN = new Set([
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept',
  'accept-encoding',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'assay-sandbox',
]);

const CONTROL = /\p{Cc}/u;
const LOOSE_ENDS = /^\s|\s$/;
const STRONG_SECRET = 16;

/**
 * What is wrong with the security settings of an endpoint; the target is checked apart. Fields are
 * named as in the administration API.
 */
export const endpointViolations = ({ mode, headerName, secret }: WebhookSettings): Violation[] => {
  const field = (name: string): string => `settings.webhook.${name}`;
  if (mode === 'NONE') return [];
  const violations: Violation[] = [];
  if (headerName === undefined) violations.push({ field: field('headerName'), message: `${mode} needs a header` });
  else if (TAKEN.has(headerName.toLowerCase()))
    violations.push({ field: field('headerName'), message: 'is a header of its own' });
  if (secret === undefined) violations.push({ field: field('secret'), message: `${mode} needs a secret` });
  else if (mode === 'API_KEY' && (CONTROL.test(secret) || LOOSE_ENDS.test(secret)))
    violations.push({ field: field('secret'), message: 'cannot stand in a header' });
  return violations;
};

export interface Failing {
  /** Since when every attempt has failed. */
  failingSince?: Date;
  disableAfterSeconds?: number;
}

/** Five days. */
const DISABLE_AFTER_SECONDS = 5 * 24 * 3600;

/** Whether an endpoint has failed for so long that nothing more is sent to it. */
export const isGivenUp = ({ failingSince, disableAfterSeconds = DISABLE_AFTER_SECONDS }: Failing, at: Date): boolean =>
  failingSince !== undefined && at.getTime() - failingSince.getTime() >= disableAfterSeconds * 1000;

/** What an administrator should know about settings that are accepted. */
export const endpointWarnings = ({ url, mode, secret }: WebhookSettings): Violation[] => {
  const warnings: Violation[] = [];
  if (mode !== 'NONE' && secret !== undefined && Buffer.byteLength(secret) < STRONG_SECRET)
    warnings.push({ field: 'settings.webhook.secret', message: `is shorter than ${STRONG_SECRET} bytes` });
  if (mode === 'API_KEY' && URL.canParse(url) && new URL(url).protocol === 'http:')
    warnings.push({ field: 'settings.webhook.url', message: 'sends the secret unencrypted; use https, or mode HMAC' });
  return warnings;
};
