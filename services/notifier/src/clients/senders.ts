import type { Config } from '../config.ts';
import { createMailer } from './mail.ts';
import { createTexter, type Send } from './sms.ts';

/** The ways one-time codes go out, as far as they are configured. */
export const createSenders = ({
  SMTP_URL,
  MAIL_FROM,
  SMS_URL,
  SMS_TOKEN,
}: Config): { EMAIL?: Send; MOBILE?: Send } => ({
  ...(SMTP_URL === undefined ? {} : { EMAIL: createMailer(SMTP_URL, MAIL_FROM) }),
  ...(SMS_URL === undefined ? {} : { MOBILE: createTexter(SMS_URL, SMS_TOKEN) }),
});
