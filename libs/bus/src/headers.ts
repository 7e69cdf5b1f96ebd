import { present } from '@assay/contracts';
import type { ConsumeMessage, Options } from 'amqplib';
import type { Tries } from './settlement.ts';

const HEADERS: Readonly<Record<keyof Tries, string>> = {
  failures: 'x-failures',
  attempts: 'x-attempts',
  waits: 'x-waits',
  firstFailedAt: 'x-first-failed-at',
  lastFailedAt: 'x-last-failed-at',
  firstLaterAt: 'x-first-later-at',
};

/** What a message remembers of its attempts. A header that is not ours counts as none. */
export const triesOf = ({ properties }: ConsumeMessage): Tries => {
  const read = (name: keyof Tries): number => Number(properties.headers?.[HEADERS[name]]) || 0;
  const readTime = (name: keyof Tries): number | undefined => read(name) || undefined;
  return {
    failures: read('failures'),
    attempts: read('attempts'),
    waits: read('waits'),
    ...present({
      firstFailedAt: readTime('firstFailedAt'),
      lastFailedAt: readTime('lastFailedAt'),
      firstLaterAt: readTime('firstLaterAt'),
    }),
  };
};

/** How a message is sent on to another queue: the same message, remembering its attempts. */
export const sendingOn = (
  message: ConsumeMessage,
  tries: Tries,
  more: Record<string, string> = {},
): Options.Publish => {
  const { messageId, type, contentType } = message.properties;
  const remembered = Object.entries(tries).map(([name, value]) => [HEADERS[name as keyof Tries], value]);
  return {
    persistent: true,
    messageId,
    type: type ?? message.fields.routingKey,
    contentType,
    headers: { ...Object.fromEntries(remembered), ...more },
  };
};

/** Why a message lies among the dead letters: a class of failure, never a value. */
export const REASON = 'x-reason';
