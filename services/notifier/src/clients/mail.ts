import { createTransport } from 'nodemailer';
import type { Send } from './sms.ts';

const TIMEOUT_MS = 10_000;
/** For a whole message: each line of a server that drips ends the silence that is counted. */
const MESSAGE_MS = 30_000;

/** Commands that are about the message: its recipient and its content. */
const ABOUT_MESSAGE: readonly unknown[] = ['RCPT TO', 'DATA'];

/**
 * Whether trying again cannot help: a 5xx answer to the message is for good. One to the connection,
 * the login or the sender says nothing of the message: the operator can mend what is wrong.
 */
const isForGood = (error: unknown): boolean => {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  return typeof responseCode === 'number' && responseCode >= 500 && ABOUT_MESSAGE.includes(command);
};

/**
 * Mail over SMTP. The Message-ID comes from the code's id: a repeat is recognisable as one. The
 * address is given as one: as a text it would be read as a list, with groups and comments.
 */
export const createMailer = (smtpUrl: string, from: string, messageMs = MESSAGE_MS): Send => {
  const transport = createTransport(smtpUrl, {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    logger: false,
  } as never);
  return ({ id, to, subject, text }) => {
    // The connection ends with the time: else one stays open for each message that is tried.
    const signal = AbortSignal.timeout(messageMs);
    const message = { from, to: { name: '', address: to }, subject, text, messageId: `<${id}@assay>`, signal };
    return transport.sendMail(message).then(
      () => 'accepted' as const,
      (error: unknown) => (isForGood(error) ? ('refused' as const) : ('unavailable' as const)),
    );
  };
};
