/** The operator API as the console calls it. The key stays in this tab: it is forgotten when the tab closes, and never part of an address. */

export type CaseState = 'OPEN' | 'CLAIMED' | 'DECIDED';
export type Decision = 'ACCEPT' | 'REJECT';

export interface CaseSummary {
  caseId: string;
  identityId: string;
  evidenceId: string;
  type: string;
  state: CaseState;
  requestedAt: string;
  expiresAt: string;
  claimedBy?: string;
  fourEyes: boolean;
  decisions: { operatorId: string; decision: Decision; reasons: string[]; at: string }[];
  reasons: string[];
  decision?: string;
}

export interface CaseView extends CaseSummary {
  submitDateTime: string;
  raisedIndicators: string[];
  fields: Record<string, unknown>;
  media: { mediaId: string; label: string }[];
}

export interface Statistics {
  open: number;
  claimed: number;
  decided: number;
  accepted: number;
  rejected: number;
  medianDecisionSeconds?: number;
}

const KEY = 'assay.operator-key';
const OPERATOR = 'assay.operator-id';
const storedKey = (): string => sessionStorage.getItem(KEY) ?? '';
/** The id of the operator who signed in, as cases name operators; empty before. */
export const ownId = (): string => sessionStorage.getItem(OPERATOR) ?? '';
export const forgetKey = (): void => {
  sessionStorage.removeItem(KEY);
  sessionStorage.removeItem(OPERATOR);
};

export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const REFUSALS: Record<number, string> = {
  401: 'This key is not known, or no longer.',
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
    headers: { apikey: key, ...(init.body ? { 'content-type': 'application/json' } : {}) },
  }).catch(unreachable);
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { errors?: { message?: string }[]; title?: string };
  throw new Refused(
    response.status,
    REFUSALS[response.status] ??
      problem.errors?.[0]?.message ??
      problem.title ??
      `The service answered ${response.status}.`,
  );
};
const json = async <T>(path: string, init?: RequestInit): Promise<T> => (await call(path, init)).json() as Promise<T>;

/** Keeps the key for this tab once the service knows it as an operator's. */
export const signIn = async (key: string): Promise<void> => {
  const { operatorId } = (await (await call('/me', {}, key)).json()) as { operatorId: string };
  sessionStorage.setItem(KEY, key);
  sessionStorage.setItem(OPERATOR, operatorId);
};
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
export const decideCase = (caseId: string, decision: Decision, reasons: string[], comment: string): Promise<CaseView> =>
  json(`/cases/${caseId}/decision`, {
    method: 'POST',
    body: JSON.stringify({ decision, reasons, ...(comment ? { comment } : {}) }),
  });
export const loadStatistics = (): Promise<Statistics> => json('/statistics');
export const loadMedium = async (caseId: string, mediaId: string): Promise<string> =>
  URL.createObjectURL(await (await call(`/cases/${caseId}/media/${mediaId}`)).blob());
