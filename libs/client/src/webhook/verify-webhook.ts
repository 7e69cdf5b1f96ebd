import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * How the service secures its webhooks, as it was configured for the client (specification, Webhook
 * security).
 */
export interface WebhookSecurity {
  mode: 'NONE' | 'API_KEY' | 'HMAC';
  /** Name of the header that carries the key or the signature; not used with NONE. */
  headerName?: string;
  /** The key (API_KEY) or the signing secret (HMAC), as text. */
  secret?: string;
}

export interface WebhookRequest extends WebhookSecurity {
  /** The raw bytes of the body, as they arrived: not parsed and written again. */
  body: Uint8Array;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const digest = (value: Buffer): Buffer => createHash('sha256').update(value).digest();
const same = (a: Buffer, b: Buffer): boolean => timingSafeEqual(digest(a), digest(b));

const headerOf = (headers: WebhookRequest['headers'], name: string): string | undefined => {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  return typeof found === 'string' ? found : undefined;
};

/**
 * True when a webhook comes from the service (specification, Webhook security). HMAC: the header is
 * the Base64 of the HMAC-SHA256 of the raw body under the secret; API_KEY: the header is the
 * configured key. Compared in constant time. A receiver answers 401 to what is not.
 */
export const verifyWebhook = ({ mode, headerName, secret, body, headers }: WebhookRequest): boolean => {
  if (mode === 'NONE') return true;
  const received = headerName === undefined ? undefined : headerOf(headers, headerName);
  // Anybody can sign with the empty secret, which a variable that is not set becomes.
  if (received === undefined || !secret) return false;
  const expected =
    mode === 'HMAC' ? createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('base64') : secret;
  return same(Buffer.from(received), Buffer.from(expected));
};
