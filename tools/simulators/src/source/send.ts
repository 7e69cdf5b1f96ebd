import type { Response } from 'express';
import type { Treatment } from './behaviour.ts';

/** An answer on the wire. */
export interface Wire {
  status: number;
  type: string;
  body: string;
}

export interface Faces {
  /** The right answer, or with `wrong` its opposite. */
  answer(wrong: boolean): Wire;
  /** The source's own fault; which one may change each time. */
  fault(nth: number): Wire;
}

const UNREADABLE: readonly ((right: Wire) => Wire)[] = [
  (right) => ({ ...right, body: right.body.slice(0, Math.floor(right.body.length / 2)) }),
  (right) => ({ ...right, type: 'text/html', body: '<html><body>Service notice</body></html>' }),
  (right) => ({ ...right, body: '' }),
];

const write = (response: Response, { status, type, body }: Wire): void => {
  if (!response.destroyed) response.status(status).set('content-type', type).end(body);
};

const later = (response: Response, delayMs: number, act: () => void): void => {
  const timer = setTimeout(act, delayMs);
  response.once('close', () => clearTimeout(timer));
};

/**
 * Answers a question as its treatment says; in an outage every fourth connection is cut instead of
 * answered.
 */
export const send = (response: Response, { mode, delayMs, nth, wrong }: Treatment, faces: Faces): void => {
  const act = (): void => {
    if (mode === 'outage' && nth % 4 === 0) response.destroy();
    else if (mode === 'outage') write(response, faces.fault(nth));
    else if (mode === 'malformed') write(response, UNREADABLE[nth % UNREADABLE.length]!(faces.answer(false)));
    else write(response, faces.answer(wrong));
  };
  if (delayMs > 0) later(response, delayMs, act);
  else act();
};
