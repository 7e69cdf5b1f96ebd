import { trusted } from 'mongoose';

const REMEMBERED = 200;

/** Field of a document that remembers the messages it has taken in. */
export const inboxFields = { inbox: { type: [String], default: [] } } as const;

/**
 * Filter: the document has not taken this message in yet. A duplicate matches nothing and is
 * acknowledged (invariant 3).
 */
export const notYet = (messageId: string) => ({ inbox: trusted({ $ne: messageId }) });

/** Push: remembers the message in the same write as its effect; the newest 200 are kept. */
export const remember = (messageId: string) => ({ inbox: { $each: [messageId], $slice: -REMEMBERED } });
