import { Type } from 'typebox';
import { group } from './building-blocks.ts';
import { flag, seconds } from './setting-kinds.ts';

const HOUR = 3600;
/** What applies if a tenant sets nothing. */
export const USUAL_ADJUDICATION = {
  enabled: false,
  fourEyes: false,
  peopleOnly: false,
  expirySeconds: 24 * HOUR,
  noticeAfterSeconds: 4 * HOUR,
  noticeWebhook: false,
} as const;

/** Whether people decide what machines cannot decide, and how. */
export const AdjudicationSettings = group('Adjudication', {
  enabled: flag('People decide', 'what machines cannot decide waits for an operator', USUAL_ADJUDICATION.enabled),
  fourEyes: flag('Four eyes', 'two operators must agree', USUAL_ADJUDICATION.fourEyes),
  peopleOnly: flag(
    'Only people decide',
    'operators sign in, or their key says whose it is; two keys that name nobody are not enough then',
    USUAL_ADJUDICATION.peopleOnly,
  ),
  expirySeconds: seconds('Expiry', 'a case that nobody decided ends undecided', USUAL_ADJUDICATION.expirySeconds),
  noticeAfterSeconds: seconds(
    'Notice after',
    'a case that still waits is reported once, by webhook, mail or both',
    USUAL_ADJUDICATION.noticeAfterSeconds,
  ),
  noticeWebhook: flag('Notice by webhook', 'as AdjudicationWaiting', USUAL_ADJUDICATION.noticeWebhook),
  noticeEmail: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@<>,;:"]+@[^\\s@<>,;:"]+$',
      title: 'Notice by mail',
      description: 'one address, best that of a desk; needs a mail server (SMTP_URL)',
    }),
  ),
});
