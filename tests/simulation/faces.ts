import { isGiven } from './client/consenting.ts';
import { notDeleted, type Suspect, shownEvidence } from './suspect.ts';

/**
 * Under the policy of the tenant, a selfie is compared with the passport's page, where one is
 * VERIFIED; nothing else decides.
 */
export const unlikeFaces = (suspect: Suspect): string[] =>
  notDeleted(suspect).flatMap(({ identityId, evidenceId, shows }) => {
    if (suspect.ledger.policies.has(identityId)) return [];
    const statusOf = (id: string) => shownEvidence(suspect.stage, identityId, id)?.status;
    if (shows === 'page')
      return statusOf(evidenceId) === 'VERIFIED' ? [] : [`page ${evidenceId} is ${statusOf(evidenceId)}`];
    const log = suspect.ledger.consents.get(identityId);
    if (shows === undefined || (log && !isGiven(log, 'PORTRAIT'))) return [];
    const hasPage = notDeleted(suspect).some((one) => one.identityId === identityId && one.shows === 'page');
    const compared = shows === 'self' ? 'VERIFIED' : 'INVALID';
    const wanted = hasPage ? compared : 'NOT_VERIFIED';
    const status = statusOf(evidenceId);
    return status === wanted ? [] : [`portrait ${evidenceId} is ${status}, not ${wanted}`];
  });
