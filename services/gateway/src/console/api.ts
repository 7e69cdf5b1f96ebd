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
  decision?: string;
}

export interface CaseView extends CaseSummary {
  submitDateTime: string;
  raisedIndicators: string[];
  reasons: string[];
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
export const storedKey = (): string => sessionStorage.getItem(KEY) ?? '';
export const storeKey = (key: string): void => {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
};

export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(`/operator/v1${path}`, {
    ...init,
    headers: { apikey: storedKey(), ...(init.body ? { 'content-type': 'application/json' } : {}) },
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { errors?: { message?: string }[]; title?: string };
  throw new Refused(
    response.status,
    problem.errors?.[0]?.message ?? problem.title ?? `The service answered ${response.status}`,
  );
};
const json = async <T>(path: string, init?: RequestInit): Promise<T> => (await call(path, init)).json() as Promise<T>;

export const listCases = (state: CaseState): Promise<{ items: CaseSummary[] }> => json(`/cases?state=${state}`);
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
