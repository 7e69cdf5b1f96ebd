import type { CallClaims, InternalClient } from '@assay/http';
import { type Static, Type } from 'typebox';

const ImportedSchema = Type.Object({
  added: Type.Integer(),
  known: Type.Integer(),
  refused: Type.Array(Type.Object({ subject: Type.String(), reason: Type.String() })),
});
export const TrustReportSchema = Type.Object({
  countries: Type.Array(
    Type.Object({
      country: Type.String(),
      certificates: Type.Integer(),
      valid: Type.Integer({ description: 'of them, not expired' }),
      revocationListUntil: Type.Optional(Type.String({ description: 'when the next list of revoked signers is due' })),
    }),
  ),
  sources: Type.Array(
    Type.Object({
      source: Type.String(),
      certificates: Type.Integer(),
      signedAt: Type.Optional(Type.String({ description: 'when the newest master list of this source was signed' })),
      signedUnder: Type.Optional(
        Type.Object(
          { subject: Type.String(), sha256: Type.String() },
          { description: 'the authority that the newest list rests on: compare it with what its publisher states' },
        ),
      ),
      old: Type.Boolean({ description: 'more than 90 days ago' }),
    }),
  ),
  expiring: Type.Array(Type.Object({ subject: Type.String(), sha256: Type.String(), notAfter: Type.String() }), {
    description: 'authorities and signers whose certificates expire within 90 days',
  }),
});
/** One entry of the trust store: what a list is ordered by; the rest is passed on. */
const EntrySchema = Type.Object({ id: Type.String(), country: Type.String(), notBefore: Type.String() });
export type Listed = Static<typeof EntrySchema>;
const ListedSchema = Type.Object({ items: Type.Array(EntrySchema) });

/** Certificates of countries' authorities, and revocation lists. */
export type TrustCollection = 'csca' | 'crl';
const ofSuite = (requestId: string): CallClaims => ({ tenantId: 'suite', identityId: 'suite', requestId });

export type VerificationWorker = ReturnType<typeof createVerificationWorker>;

const at = (identityId: string): string => `/internal/v1/cases/${encodeURIComponent(identityId)}`;

/** Evaluates the evidence, and explains the result. */
export const createVerificationWorker = (client: InternalClient) => ({
  /** The case without anything personal, its evaluation, and the explanation in words. */
  explain: (claims: CallClaims): Promise<unknown> => client.getJson(at(claims.identityId), claims),

  /**
   * What would change under another policy; `policy` is a name or a whole policy. Nothing is
   * stored.
   */
  evaluate: (claims: CallClaims, policy: unknown): Promise<unknown> =>
    client.postJson(`${at(claims.identityId)}/evaluate`, claims, { policy }),

  /** The same for an exported case. */
  evaluateExported: (claims: CallClaims, exported: unknown, policy: unknown): Promise<unknown> =>
    client.postJson('/internal/v1/evaluations', claims, { case: exported, policy }),

  importTrust: (requestId: string, collection: TrustCollection, file: Buffer, source: string) =>
    client.postJson(
      `/internal/v1/trust/${collection}`,
      ofSuite(requestId),
      { file: file.toString('base64'), source },
      ImportedSchema,
    ),

  listTrust: (requestId: string, collection: TrustCollection | 'signers', country: string | undefined) => {
    const query = country ? `?${new URLSearchParams({ country })}` : '';
    return client.getJson(`/internal/v1/trust/${collection}${query}`, ofSuite(requestId), ListedSchema);
  },

  reportOfTrust: (requestId: string) =>
    client.getJson('/internal/v1/trust-report', ofSuite(requestId), TrustReportSchema),

  /** Removes an entry, or only one source of it. */
  removeTrust: (
    requestId: string,
    collection: TrustCollection,
    id: string,
    source: string | undefined,
  ): Promise<void> => {
    const query = source === undefined ? '' : `?${new URLSearchParams({ source })}`;
    return client.delete(`/internal/v1/trust/${collection}/${encodeURIComponent(id)}${query}`, ofSuite(requestId));
  },

  /**
   * Evaluates the identity under the current version of a policy from now on; answers with that
   * version.
   */
  reEvaluate: (claims: CallClaims, policy: string): Promise<unknown> =>
    client.postJson(`${at(claims.identityId)}/re-evaluation`, claims, { policy }),
});
