import { randomUUID } from 'node:crypto';

/** An opaque id of 122 random bits; never sequential or guessable (specification, Replies). */
export const newId = (): string => randomUUID();

/** A clock: an argument everywhere, so that tests choose the time. */
export type Clock = () => Date;

/** The machine's clock. A service asks its database's (`connectMongo`). */
export const systemClock: Clock = () => new Date();
