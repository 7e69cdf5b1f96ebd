import { createHmac } from 'node:crypto';
import type { WebhookMode } from '@assay/contracts';

export interface Security {
  mode: WebhookMode;
  sandbox?: boolean;
  headerName?: string;
  secret?: string;
  /** The one before it: signs too while both are live. */
  formerSecret?: string;
}

/**
 * HMAC mode: Base64 of HMAC-SHA256 over the bytes that are sent, the secret's UTF-8 bytes as key
 * (specification, Webhook security).
 */
const signatureOf = (secret: string, body: Buffer): string =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('base64');

const PREFIX = 'whsec_';

const BASE64 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * The key of Standard Webhooks: what follows `whsec_`, in base64; every other secret, and one that
 * is no base64 behind it, as its UTF-8 bytes: decoded as far as it goes it could be an empty key.
 */
const standardKey = (secret: string): Buffer => {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
};

/**
 * `webhook-signature` of Standard Webhooks 1.0.0: one signature for each live secret, over id,
 * timestamp and body.
 */
const standardSignature = (secrets: readonly string[], id: string, timestamp: string, body: Buffer): string =>
  secrets
    .map((secret) => createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body))
    .map((mac) => `v1,${mac.digest('base64')}`)
    .join(' ');

/**
 * Headers of one attempt. `webhook-id` is the same on every attempt, `webhook-timestamp` (whole
 * seconds) is the attempt's own. A key that is not ASCII goes out as its UTF-8 bytes.
 */
export const headersOf = (
  { mode, headerName, secret, formerSecret, sandbox }: Security,
  body: Buffer,
  webhookId: string,
  at: Date,
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const common = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'Assay',
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    ...(sandbox ? { 'assay-sandbox': 'true' } : {}),
  };
  if (mode === 'NONE' || headerName === undefined || secret === undefined) return common;
  if (mode === 'API_KEY') return { ...common, [headerName]: Buffer.from(secret, 'utf8').toString('latin1') };
  const secrets = [secret, ...(formerSecret === undefined ? [] : [formerSecret])];
  return {
    ...common,
    'webhook-signature': standardSignature(secrets, webhookId, timestamp, body),
    [headerName]: signatureOf(secret, body),
  };
};
