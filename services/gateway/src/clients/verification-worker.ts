import type { CallClaims, InternalClient } from '@assay/http';

export type VerificationWorker = ReturnType<typeof createVerificationWorker>;

const at = (identityId: string): string => `/internal/v1/cases/${encodeURIComponent(identityId)}`;

/** Judges the evidence, and can say why. */
export const createVerificationWorker = (client: InternalClient) => ({
  /** The case without anything personal, its evaluation, and the explanation in words. */
  explain: (claims: CallClaims): Promise<unknown> => client.getJson(at(claims.identityId), claims),

  /** What would change under another policy; `policy` is a name or a whole policy. Nothing is stored. */
  evaluate: (claims: CallClaims, policy: unknown): Promise<unknown> =>
    client.postJson(`${at(claims.identityId)}/evaluate`, claims, { policy }),

  /** The same for an exported case. */
  evaluateExported: (claims: CallClaims, exported: unknown, policy: unknown): Promise<unknown> =>
    client.postJson('/internal/v1/evaluations', claims, { case: exported, policy }),

  /** Judges the identity under the current version of a policy from now on; answers with that version. */
  reEvaluate: (claims: CallClaims, policy: string): Promise<unknown> =>
    client.postJson(`${at(claims.identityId)}/re-evaluation`, claims, { policy }),
});
