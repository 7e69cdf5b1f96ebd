import { newId } from '@assay/runtime';

/**
 * What would have gone to a person or a tenant's program. `to` is the address or the number as it
 * was given, of a notification the path it was sent to.
 */
export interface CaughtMessage {
  id: string;
  channel: 'EMAIL' | 'SMS' | 'WEBHOOK';
  at: string;
  from: string;
  to: string;
  subject: string;
  text: string;
}

export interface Caught {
  add(message: Omit<CaughtMessage, 'id' | 'at'>): void;
  /** The oldest first; with `to` only those to that address or number. */
  list(to?: string): CaughtMessage[];
  empty(): void;
}

const KEPT = 5000;
const plain = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/[\s()-]/g, '');

export const createCaught = (): Caught => {
  let messages: CaughtMessage[] = [];
  return {
    add: (message) => {
      messages = [...messages.slice(-KEPT + 1), { ...message, id: newId(), at: new Date().toISOString() }];
    },
    list: (to) => (to === undefined ? messages : messages.filter((message) => plain(message.to) === plain(to))),
    empty: () => {
      messages = [];
    },
  };
};
