import type { ContactDetails, OtpStatus, Progress } from '@assay/contracts';
import type { Contact, CreationDetails } from './history.ts';
import { withoutEmpty } from './without-empty.ts';

const PROGRESS_OF_OTP: Readonly<Record<OtpStatus, Progress>> = {
  INITIATE: 'STARTING',
  NOT_INITIATED: 'STARTING',
  PENDING: 'PROCESSING',
  PROCESSING: 'PROCESSING',
  DONE: 'DONE',
  ERROR: 'ERROR',
  TIMEOUT: 'ERROR',
};

/** The progress of a contact, by its one-time code. */
export const contactProgress = ({ otp }: Contact): Progress => PROGRESS_OF_OTP[otp.status];

/** contactDetails of a contact that is verified by a one-time code. */
export const contactDetails = ({ channel, contact, otp, verified }: Contact): ContactDetails =>
  channel === 'EMAIL'
    ? { email: { value: contact.value, verified, otp } }
    : { mobile: { value: contact.value, verified, ...withoutEmpty(languageAndSystem(contact)), otp } };

const languageAndSystem = ({ language, system }: { language?: string; system?: string }) => ({ language, system });

/**
 * contactDetails of what the client stated when it created the identity; undefined when it stated
 * nothing.
 */
export const contactAtCreation = ({ contact }: CreationDetails): ContactDetails | undefined => {
  const { email, mobile, landline, language, username } = contact ?? {};
  const phone = (value: string | undefined) => (value ? { value, ...withoutEmpty({ language }) } : undefined);
  const details = withoutEmpty({
    email: email ? { value: email } : undefined,
    landline: phone(landline),
    mobile: phone(mobile),
    username: username ? { username } : undefined,
  });
  return Object.keys(details).length > 0 ? details : undefined;
};
