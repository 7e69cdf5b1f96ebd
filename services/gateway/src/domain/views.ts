import {
  type EvidenceRecord,
  type EvidenceStatus,
  type EvidenceStatusReply,
  FAMILY_OF_TYPE,
  formatDateTime,
  type IdentityCreated,
  type IdentityStatusReply,
  type Identity as IdentityView,
  isStable,
  type KeyRole,
  type PortraitRecord,
  present,
} from '@assay/contracts';
import type { Evidence, Identity } from './identity.ts';
import { identityStatusOf } from './status.ts';

/** The opened data of an evidence, as a retrieval shows them. */
export type EvidenceData = Pick<EvidenceRecord, 'idDocumentData' | 'attributesData' | 'addressData'>;
export type OpenData = (evidence: Evidence) => EvidenceData;

const some = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [key in K]?: V };

/** Reply of endpoint 1. */
export const createdView = (identity: Identity): IdentityCreated => ({
  id: identity._id,
  status: identityStatusOf(identity),
  levelOfAssurance: identity.evaluated?.levelOfAssurance ?? 'LOA0',
  creationDateTime: formatDateTime(identity.createdAt),
  evaluationDateTime: identity.evaluated?.evaluationDateTime ?? formatDateTime(identity.createdAt),
  upgradePaths: identity.evaluated?.upgradePaths ?? {},
});

export const globalStatusView = (identity: Identity): IdentityView['globalStatus'] => {
  const { id, status, levelOfAssurance, creationDateTime, evaluationDateTime, upgradePaths } = createdView(identity);
  return {
    id,
    status,
    levelOfAssurance,
    creationDateTime,
    evaluationDateTime,
    ...some('nameReferenceEvidenceId', identity.evaluated?.nameReferenceEvidenceId),
    ...some('portraitReferenceEvidenceId', identity.evaluated?.portraitReferenceEvidenceId),
    upgradePaths,
  };
};

/**
 * evidenceStatus of a retrieval; a user agent sees status, evaluationDateTime, isAdjudicable and
 * errors only.
 */
const evidenceStatusView = (evidence: Evidence, role: KeyRole): EvidenceStatus => {
  const reduced = {
    ...some('evaluationDateTime', evidence.evaluationDateTime),
    status: evidence.status,
  };
  const tail = { ...some('isAdjudicable', evidence.isAdjudicable) };
  const errors = some('errors', evidence.status === 'VERIFIED' ? undefined : evidence.errors);
  if (role === 'USER_AGENT') return { ...reduced, ...tail, ...errors };
  return {
    ...reduced,
    ...some('strength', evidence.strength),
    ...some('score', evidence.score),
    ...tail,
    ...some('positiveIndicators', evidence.positiveIndicators),
    ...some('warningIndicators', evidence.warningIndicators),
    ...some('unverifiedIndicators', evidence.unverifiedIndicators),
    ...errors,
  };
};

const recordView = (evidence: Evidence, role: KeyRole, openData: OpenData): EvidenceRecord => {
  const data = openData(evidence);
  const family = FAMILY_OF_TYPE[evidence.type];
  const finished = isStable(evidence.status);
  const document = family === 'IDDOCUMENT' ? (data.idDocumentData ?? (finished ? {} : undefined)) : undefined;
  return {
    evidenceId: evidence.evidenceId,
    submitDateTime: evidence.submitDateTime,
    type: evidence.type,
    evidenceStatus: evidenceStatusView(evidence, role),
    ...(family === 'ADDRESS' ? some('referenceIds', evidence.referenceIds) : {}),
    ...(family === 'ATTRIBUTES' ? some('attributesData', data.attributesData) : {}),
    ...(family === 'ADDRESS' ? some('addressData', data.addressData) : {}),
    ...some('idDocumentData', document),
  };
};

const portraitView = (evidence: Evidence, role: KeyRole): PortraitRecord => ({
  evidenceId: evidence.evidenceId,
  submitDateTime: evidence.submitDateTime,
  type: 'PORTRAIT',
  evidenceStatus: evidenceStatusView(evidence, role),
  ...some('portraitQuality', evidence.portraitQuality),
  ...some('portraitData', evidence.portraitData),
});

/**
 * The portrait in a retrieval: the newest; a live capture session without frames only if there is
 * no other.
 */
export const currentPortrait = (identity: Pick<Identity, 'evidences'>): Evidence | undefined => {
  const portraits = identity.evidences.filter(({ type }) => type === 'PORTRAIT');
  return portraits.findLast(({ captured }) => captured !== false) ?? portraits.at(-1);
};

/**
 * Reply of endpoint 8 (specification, Identity). With the role RELYING_SERVICE it is also
 * identityDetails.json of the proof.
 */
export const identityView = (identity: Identity, role: KeyRole, openData: OpenData): IdentityView => {
  const portrait = currentPortrait(identity);
  const ofFamily = (family: string) =>
    identity.evidences
      .filter(({ type }) => FAMILY_OF_TYPE[type] === family)
      .map((evidence) => recordView(evidence, role, openData));
  return {
    globalStatus: globalStatusView(identity),
    consents: identity.consents,
    attributes: ofFamily('ATTRIBUTES'),
    addresses: ofFamily('ADDRESS'),
    idDocuments: ofFamily('IDDOCUMENT'),
    ...present({ portrait: portrait && portraitView(portrait, role) }),
  };
};

/** Reply of endpoint 7. */
export const evidenceStatusReply = ({ evidenceId, type, status, errors }: Evidence): EvidenceStatusReply => ({
  status,
  type,
  id: evidenceId,
  ...some('errors', status === 'VERIFIED' ? undefined : errors),
});

/**
 * Reply of GET status: the identity's status as in the identity itself and that of each evidence.
 */
export const statusReply = (identity: Identity): IdentityStatusReply => ({
  globalStatus: globalStatusView(identity),
  singleStatuses: identity.evidences.map(({ evidenceId, type, status }) => ({ id: evidenceId, type, status })),
});
