import type { Session, Step } from './session.ts';

/** What a page that shows this one in a frame receives; never anything about the person. */
export type EmbedMessage =
  | { type: 'assay.ready' }
  | { type: 'assay.step'; step: Step; at: number; of: number }
  | { type: 'assay.finished' }
  | { type: 'assay.ended'; reason: string }
  | { type: 'assay.height'; height: number };

export const isFramed = (): boolean => window.parent !== window;

/**
 * The page that shows this one: its origin as it named itself, which the service allowed to do so.
 */
const embedder = (): string | null => new URLSearchParams(location.search).get('in');

/**
 * Whether the tenant of this link lets the page around it show it; by itself it is always shown.
 */
export const mayBeShown = ({ page }: Pick<Session, 'page'>): boolean => {
  const origin = embedder();
  return !isFramed() || origin === null || (page?.embedders ?? []).includes(origin);
};

/** Tells the page around this one, and no other. */
export const post = (message: EmbedMessage): void => {
  const origin = embedder();
  if (isFramed() && origin) window.parent.postMessage(message, origin);
};

/** Tells the page around this one how high it has become. */
export const postHeight = (element: Element): void =>
  new ResizeObserver(() => post({ type: 'assay.height', height: Math.ceil(element.scrollHeight) })).observe(element);
