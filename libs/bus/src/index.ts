/**
 * The broker: publishing with confirms, consuming with one place that decides about
 * acknowledgement, reconnecting.
 */
export { type Bus, type BusOptions, connectBus, suiteBus } from './bus.ts';
export type { DeadLetter, DeadLetters } from './dead-letters.ts';
export type { ConsumeOptions } from './handling.ts';
export { deadLettersOf, waitingRoomOf } from './names.ts';
export { NotPublished, Unroutable } from './publisher.ts';
export { on, type Subscription } from './reading.ts';
export { Poison, RetryLater, ROOMS_MS, type Settlement } from './settlement.ts';
