/** The broker: publishing with confirms, consuming with one place that decides about acknowledgement, reconnecting. */
export { type Bus, type BusOptions, connectBus } from './bus.ts';
export { type ConsumeOptions, on, type Subscription } from './consumer.ts';
export { isDependencyDown, type Outcome, outcomeOf, Poison, RetryLater } from './outcome.ts';
export { NotPublished } from './publisher.ts';
export { deadLettersOf, declareTopology, waitingRoomOf } from './topology.ts';
