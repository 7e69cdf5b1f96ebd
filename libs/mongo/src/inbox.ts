import { trusted } from 'mongoose';

const REMEMBERED = 200;

/** The field of a document with the ids of the messages it has handled. */
export const inboxFields = { inbox: { type: [String], default: [] as string[] } };

/**
 * Filter: the document has not handled this message yet. A duplicate matches nothing and is
 * acknowledged (invariant 3).
 */
export const notYet = (messageId: string) => ({ inbox: trusted({ $ne: messageId }) });

/** Push: remembers the message in the same write as its effect; the newest 200 are kept. */
export const remember = (messageId: string) => ({ inbox: { $each: [messageId], $slice: -REMEMBERED } });
