import type { expect as Expect } from '@jest/globals';

// Taken when a test runs, not when this is loaded: benchmarks use this lib outside of Jest.
const expect: typeof Expect = ((value: unknown) =>
  (globalThis as unknown as { expect: typeof Expect }).expect(value)) as typeof Expect;

/** Given past events, when a decision is taken, then these events: the form of every test of a pure state machine. */
export const specification =
  <State, Event>({ initial, evolve }: { initial: State; evolve: (state: State, event: Event) => State }) =>
  (...past: Event[]) => ({
    when: (decide: (state: State) => Event[]) => {
      const state = past.reduce(evolve, initial);
      const outcome = () => decide(state);
      return {
        // biome-ignore lint/suspicious/noThenProperty: given, when, then is the form; nobody awaits it
        then: (...expected: Event[]): void => {
          expect(outcome()).toEqual(expected);
        },
        thenNothing: (): void => {
          expect(outcome()).toEqual([]);
        },
        thenRefused: (message: string | RegExp): void => {
          expect(outcome).toThrow(message);
        },
      };
    },
  });
