import { createHmac } from 'node:crypto';
import type { WebhookMode } from '@assay/contracts';

export interface Security {
  mode: WebhookMode;
  headerName?: string;
  secret?: string;
}

/** HMAC mode: Base64 of HMAC-SHA256 over the bytes that are sent, the secret's UTF-8 bytes as key (Events, Delivery 3). */
export const signatureOf = (secret: string, body: Buffer): string =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('base64');

/**
 * Headers of one attempt. `webhook-id` is the same on every attempt, `webhook-timestamp` (whole seconds) is the attempt's own. A key that is not ASCII
 * goes out as its UTF-8 bytes.
 */
export const headersOf = (
  { mode, headerName, secret }: Security,
  body: Buffer,
  webhookId: string,
  at: Date,
): Record<string, string> => {
  const common = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'Assay',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  };
  if (mode === 'NONE' || headerName === undefined || secret === undefined) return common;
  const value = mode === 'HMAC' ? signatureOf(secret, body) : Buffer.from(secret, 'utf8').toString('latin1');
  return { ...common, [headerName]: value };
};
