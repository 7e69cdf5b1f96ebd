/**
 * How one thing (a connection, a channel with its subscription) is kept open: a pure state machine.
 * Each opening is a run with a number of its own; news of an earlier run changes nothing. The next
 * run begins only when the one before is known to be over: so no queue is ever subscribed twice.
 */
export type Phase =
  /** What it is opened on is not there. */
  | 'waiting'
  | 'opening'
  | 'open'
  /** Being closed, by us; it may still be there. */
  | 'closing'
  /** The next run begins when the pause is over. */
  | 'pausing'
  | 'stopped';

export interface Upkeep {
  phase: Phase;
  run: number;
  /** Runs that ended since the last one that stayed open for a while. */
  failures: number;
  isBaseUp: boolean;
  isStopping: boolean;
}

export type UpkeepEvent =
  /** What it is opened on is there, or is lost together with everything opened on it. */
  | { type: 'base-up' }
  | { type: 'base-down' }
  | { type: 'opened'; run: number }
  /** It could not be opened, or is closed now, whoever closed it. */
  | { type: 'lost'; run: number }
  /**
   * It is there and of no use any more: the broker cancelled the subscription, a confirm did not
   * come.
   */
  | { type: 'unusable'; run: number }
  /** It has been open for a while: the next failure is a first one. */
  | { type: 'steady'; run: number }
  /** The pause is over. */
  | { type: 'due'; run: number }
  | { type: 'stop' };

export type Effect =
  | { do: 'open'; run: number }
  | { do: 'close'; run: number }
  | { do: 'pause'; run: number; failures: number };

export interface Step {
  state: Upkeep;
  effects: Effect[];
}

export const notYetOpened: Upkeep = { phase: 'waiting', run: 0, failures: 0, isBaseUp: false, isStopping: false };

const nothing = (state: Upkeep): Step => ({ state, effects: [] });

const openNext = (state: Upkeep): Step => {
  const run = state.run + 1;
  return { state: { ...state, phase: 'opening', run }, effects: [{ do: 'open', run }] };
};

const closeNow = (state: Upkeep): Step => ({
  state: { ...state, phase: 'closing' },
  effects: [{ do: 'close', run: state.run }],
});

const onBaseUp = (state: Upkeep): Step => {
  const up = { ...state, isBaseUp: true };
  return state.phase === 'waiting' ? openNext(up) : nothing(up);
};

const onBaseDown = (state: Upkeep): Step => {
  const down = { ...state, isBaseUp: false };
  if (state.phase === 'stopped') return nothing(down);
  return nothing({ ...down, phase: state.isStopping ? 'stopped' : 'waiting' });
};

const onOpened = (state: Upkeep, run: number): Step => {
  // Nobody waits for it any more.
  if (state.phase !== 'opening' || run !== state.run) return { state, effects: [{ do: 'close', run }] };
  return state.isStopping ? closeNow(state) : nothing({ ...state, phase: 'open' });
};

const onLost = (state: Upkeep): Step => {
  if (state.phase !== 'opening' && state.phase !== 'open' && state.phase !== 'closing') return nothing(state);
  if (state.isStopping) return nothing({ ...state, phase: 'stopped' });
  const failures = state.failures + 1;
  return {
    state: { ...state, phase: 'pausing', failures },
    effects: [{ do: 'pause', run: state.run, failures }],
  };
};

const onStop = (state: Upkeep): Step => {
  const stopping = { ...state, isStopping: true };
  if (state.phase === 'open') return closeNow(stopping);
  const isIdle = state.phase === 'waiting' || state.phase === 'pausing';
  return nothing(isIdle ? { ...stopping, phase: 'stopped' } : stopping);
};

/** What an event changes, and what is to be done about it. */
export const step = (state: Upkeep, event: UpkeepEvent): Step => {
  if (event.type === 'opened') return onOpened(state, event.run);
  if ('run' in event && event.run !== state.run) return nothing(state);
  switch (event.type) {
    case 'base-up':
      return onBaseUp(state);
    case 'base-down':
      return onBaseDown(state);
    case 'lost':
      return onLost(state);
    case 'unusable':
      return state.phase === 'open' ? closeNow(state) : nothing(state);
    case 'steady':
      return nothing(state.phase === 'open' ? { ...state, failures: 0 } : state);
    case 'due':
      return state.phase === 'pausing' ? openNext(state) : nothing(state);
    case 'stop':
      return onStop(state);
  }
};
