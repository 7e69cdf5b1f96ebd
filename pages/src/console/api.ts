/**
 * The operator API as the console calls it. The key stays in this tab: it is forgotten when the tab
 * closes, and never part of an address.
 */

import type {
  CaseDay,
  CaseDecision,
  CaseOperatorDay,
  CaseReasonDay,
  CaseState,
  CaseStatistics,
  CaseSummary,
  CaseView,
  DecisionValue,
  Operator,
} from '@assay/contracts/operator';

/** Why an operator rejects an evidence. */
export type OperatorReason = NonNullable<CaseDecision['reasons']>[number];
export type {
  CaseDay,
  CaseOperatorDay,
  CaseReasonDay,
  CaseState,
  CaseStatistics,
  CaseSummary,
  CaseView,
  DecisionValue,
};

import { causeHeaders, KEY_IDLE_SECONDS } from '../design/activity.ts';
import { heedDate } from '../design/clock.ts';
import { canBeKey } from '../design/keys.ts';
import { sentence } from '../design/sentence.ts';
import { tabStore } from '../design/storage.ts';

const KEY = 'assay.operator-key';
const OPERATOR = 'assay.operator-id';
const ENABLED = 'assay.adjudication-enabled';
const IDLE_SECONDS = 'assay.idle-seconds';
const storedKey = (): string => tabStore.getItem(KEY) ?? '';
/** The id of the operator who signed in, as cases name operators; empty before. */
export const ownId = (): string => tabStore.getItem(OPERATOR) ?? '';
/** Whose session this tab uses; undefined where it has a key, or nobody is signed in. */
export const sharedBy = (): string | undefined => (storedKey() ? undefined : ownId() || undefined);
/** Forgets the key, and who is signed in. */
export const forget = (): void => {
  tabStore.removeItem(KEY);
  tabStore.removeItem(OPERATOR);
  tabStore.removeItem(ENABLED);
  tabStore.removeItem(IDLE_SECONDS);
};

export class Refused extends Error {
  readonly status: number;
  /** What the service itself says. */
  readonly reason: string | undefined;
  constructor(status: number, message: string, reason?: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

const UNKNOWN_KEY = 'This key is not known, or no longer; or you were signed out.';
const REFUSALS: Record<number, string> = {
  401: UNKNOWN_KEY,
  403: 'This is not the key of an operator.',
  404: 'This is no longer there.',
  409: 'The case has changed meanwhile.',
  410: 'The identity was closed: its images and data are gone, and there is nothing left to decide.',
  429: 'Too many requests with this key; wait a moment.',
};
const unreachable = (): never => {
  throw new Refused(0, 'The service does not answer.');
};

const call = async (path: string, init: RequestInit = {}, key = storedKey()): Promise<Response> => {
  const response = await fetch(`/operator/v1${path}`, {
    ...init,
    headers: {
      ...(key ? { apikey: key } : {}),
      ...causeHeaders(),
      ...(init.body ? { 'content-type': 'application/json' } : {}),
    },
  }).catch(unreachable);
  heedDate(response.headers.get('date'));
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { errors?: { message?: string }[]; title?: string };
  const reason = problem.errors?.[0]?.message ?? problem.title;
  const message = REFUSALS[response.status] ?? sentence(reason ?? `the service answered ${response.status}`);
  throw new Refused(response.status, message, reason);
};
const json = async <T>(path: string, init?: RequestInit): Promise<T> => (await call(path, init)).json() as Promise<T>;

/** Keeps the key for this tab once the service knows it as an operator's. */
export const signIn = async (key: string): Promise<void> => {
  if (!canBeKey(key)) throw new Refused(401, UNKNOWN_KEY);
  const { operatorId, adjudicationEnabled, session } = (await (await call('/me', {}, key)).json()) as Operator;
  if (key) tabStore.setItem(KEY, key);
  tabStore.setItem(IDLE_SECONDS, String(session?.idleSeconds ?? KEY_IDLE_SECONDS));
  tabStore.setItem(OPERATOR, operatorId);
  tabStore.setItem(ENABLED, String(adjudicationEnabled));
};
/** Goes on with the session of somebody who signed in, where this browser has one. */
export const resume = (): Promise<void> => signIn('');
/** Ends the session, where there is one. */
export const endSession = (): void => {
  if (sharedBy()) void call('/session', { method: 'DELETE' }).catch(() => undefined);
};
export const idleSeconds = (): number => Number(tabStore.getItem(IDLE_SECONDS) ?? KEY_IDLE_SECONDS);
/** False where no case ever comes: the tenant has adjudication off. */
export const adjudicationIsOn = (): boolean => tabStore.getItem(ENABLED) !== 'false';
const PAGE = 200;
/** All cases in a state, the longest waiting first; of the decided ones the newest page. */
export const listCases = async (state: CaseState, cursor?: string): Promise<CaseSummary[]> => {
  const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const page = await json<{ items: CaseSummary[]; cursor?: string }>(`/cases?state=${state}&limit=${PAGE}${from}`);
  return page.cursor === undefined || state === 'DECIDED'
    ? page.items
    : [...page.items, ...(await listCases(state, page.cursor))];
};
export const loadCase = (caseId: string): Promise<CaseView> => json(`/cases/${caseId}`);
export const claimCase = (caseId: string): Promise<CaseView> => json(`/cases/${caseId}/claim`, { method: 'POST' });
export const decideCase = (
  caseId: string,
  decision: DecisionValue,
  reasons: OperatorReason[],
  comment: string,
): Promise<CaseView> =>
  json(`/cases/${caseId}/decision`, {
    method: 'POST',
    body: JSON.stringify({ decision, reasons, ...(comment ? { comment } : {}) } satisfies CaseDecision),
  });
export const loadStatistics = (): Promise<CaseStatistics> => json('/statistics');
export const loadMedium = async (caseId: string, mediaId: string): Promise<string> =>
  URL.createObjectURL(await (await call(`/cases/${caseId}/media/${mediaId}`)).blob());
