import { newIdentity, newTenant, specimen, type Tenant } from '@assay/testing';

export type Role = 'RELYING_SERVICE' | 'USER_AGENT' | 'OPERATOR' | 'ADMINISTRATOR';

/** What the requests of a round are about. */
export interface Subjects {
  /** Ids that belong together. */
  identities: { identityId: string; evidenceId: string; consentId: string; sessionId: string }[];
  /** A key that may be revoked. */
  keyId: string;
  images: readonly Uint8Array[];
}

const LIMITS = { limits: { requestsPerMinute: 10_000_000 } };
const CONSENTS = ['GIV', 'PORTRAIT', 'EMAIL_OTP', 'MOBILE_OTP'];
const ADDRESS = { city: 'Sydney', country: 'AUS', streetDetails: { streetLines: ['1 High Street'] } };

const newSubject = async ({ relyingService }: Tenant): Promise<Subjects['identities'][number]> => {
  const identity = await newIdentity(relyingService);
  const consents = await identity.consent(...CONSENTS);
  const { body: evidence } = await relyingService.post(`${identity.at}/addresses`, ADDRESS);
  const { body: session } = await relyingService.post(`${identity.at}/id-documents/live-capture-session`, {
    idDocumentType: 'PASSPORT',
  });
  return {
    identityId: identity.id,
    evidenceId: evidence.id,
    consentId: consents.body[0].consentId,
    sessionId: session.sessionId,
  };
};

/**
 * Two tenants of the run's own, and what each round is about: identities with consents, an evidence
 * and an open session.
 */
export const prepare = async (administrator: string) => {
  const mine = await newTenant('fuzz', { ...LIMITS, adjudication: { enabled: true } });
  const neighbour = await newTenant('fuzz neighbour', LIMITS);
  const { relyingService, userAgent, operator } = mine.keys;
  // Cut off behind their heads: taken in like any other, and soon done with.
  const images = ['passport.jpg', 'selfie-same.jpg'].map((name) => specimen(name).subarray(0, 9000));
  return {
    tenantIds: [neighbour.tenantId, 'none', '%00'],
    apikeys: {
      RELYING_SERVICE: relyingService,
      USER_AGENT: userAgent,
      OPERATOR: operator,
      ADMINISTRATOR: administrator,
    },
    newRound: async (): Promise<Subjects> => {
      const identities = await Promise.all([
        newSubject(mine),
        newSubject(mine),
        newSubject(mine),
        newSubject(neighbour),
      ]);
      const { body: key } = await neighbour.admin.post(`/admin/v1/tenants/${neighbour.tenantId}/keys`, {
        role: 'OPERATOR',
      });
      return { identities, keyId: key.keyId, images };
    },
  };
};
