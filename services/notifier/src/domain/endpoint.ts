import type { Violation, WebhookSettings } from '@assay/contracts';

/** Headers a configured name may not take: they carry the message itself. */
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
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
]);

const CONTROL = /\p{Cc}/u;
const LOOSE_ENDS = /^\s|\s$/;
const STRONG_SECRET = 16;

/** What is wrong with the security settings of an endpoint; the target is judged apart. Fields are named as in the administration API. */
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

/** What an administrator should know about settings that are accepted. */
export const endpointWarnings = ({ mode, secret }: WebhookSettings): Violation[] =>
  mode !== 'NONE' && secret !== undefined && Buffer.byteLength(secret) < STRONG_SECRET
    ? [{ field: 'settings.webhook.secret', message: `is shorter than ${STRONG_SECRET} bytes` }]
    : [];
