import { createHash } from 'node:crypto';
import {
  formatDateTime,
  formatTimestamp,
  type MediaReference,
  type Proof,
  type ProofMedia,
  type ProofRequest,
  present,
} from '@assay/contracts';
import { elementsOf } from './elements.ts';
import { evaluationAt, type History } from './history.ts';
import { listOf, type MediaList, mediaInProof, pathOf } from './media.ts';
import { withoutEmpty } from './without-empty.ts';

/** Version of the proof format. */
export const PROOF_VERSION = '1.0';

/** proof.json before it is signed: what the signature covers. */
export type UnsignedProof = Omit<Proof, 'signature'>;

export interface ArchivePlan {
  /** Root folder, `<identity_id>_<timestamp>`; the file is named after it. */
  root: string;
  proof: UnsignedProof;
  identityDetails: Buffer;
  verificationAndEvaluationDetails: Buffer;
  /** Media in the order in which they are written, with their paths below the root folder. */
  media: { path: string; reference: MediaReference }[];
}

/**
 * Everything an archive consists of except the bytes of its media: the same layout and media give
 * the same bytes.
 */
export interface ArchiveLayout {
  root: string;
  /** Time of every entry, ISO 8601 in UTC. */
  endedAt: string;
  /** The JSON files, in the order in which they are written. */
  files: { path: string; content: string }[];
  /** The media behind them. */
  media: { path: string; mediaId: string; bytes: number; crc32?: number }[];
}

export interface PlanInput {
  request: ProofRequest;
  tenantId: string;
  history: History;
  /** What evidence-intake keeps of each attached evidence. */
  stored: ReadonlyMap<string, readonly MediaReference[]>;
  componentVersion: string;
  endedAt: Date;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const jsonFile = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/**
 * The signed content, which is also the beginning of proof.json: the minimized JSON of the proof
 * without its signature.
 */
export const signedContent = (proof: UnsignedProof): string => JSON.stringify(proof);

/**
 * proof.json: minimized, the signature its last member, so that what was signed is the file without
 * that member.
 */
export const proofFile = (proof: UnsignedProof, signature: string): string => JSON.stringify({ ...proof, signature });

/** The layout of an archive, from its plan and the signature. */
export const layoutOf = (plan: ArchivePlan, signature: string, endedAt: Date): ArchiveLayout => ({
  root: plan.root,
  endedAt: endedAt.toISOString(),
  files: [
    { path: 'proof.json', content: proofFile(plan.proof, signature) },
    { path: 'identityDetails.json', content: plan.identityDetails.toString('utf8') },
    {
      path: 'verificationAndEvaluationDetails.json',
      content: plan.verificationAndEvaluationDetails.toString('utf8'),
    },
  ],
  media: plan.media.map(({ path, reference: { mediaId, bytes, crc32 } }) => ({
    path,
    mediaId,
    bytes,
    ...withoutEmpty({ crc32 }),
  })),
});

const hashesOf = (media: ArchivePlan['media'], list: MediaList): ProofMedia[] =>
  media
    .filter(({ reference }) => listOf(reference) === list)
    .map(({ path, reference: { sha256: hash, mediaId: id } }) => ({ hash, id, path }));

/** The addresses that took part: each once, in the order in which they appeared. */
const addressesOf = (history: History): string[] => [
  ...new Set(history.callers.flatMap(({ ip }) => (ip === undefined ? [] : [ip]))),
];

/** Plans an archive. No media bytes are needed: their hashes were taken when they were stored. */
export const planArchive = ({
  request,
  tenantId,
  history,
  stored,
  componentVersion,
  endedAt,
}: PlanInput): ArchivePlan => {
  const { identity } = request;
  const identityId = identity.globalStatus.id;
  const attached = [...stored].filter(([evidenceId]) => !history.deletions.has(evidenceId));
  const media = new Map(
    attached.map(([evidenceId, references]) => [
      evidenceId,
      mediaInProof(references, evaluationAt(history, evidenceId, request.caseRevision), request.videosInProof),
    ]),
  );
  const elements = elementsOf(history, {
    ...present({ businessId: request.businessId }),
    caseRevision: request.caseRevision,
    startDateTime: request.startDateTime,
    media,
  });
  const identityDetails = jsonFile(identity);
  const verificationAndEvaluationDetails = jsonFile(elements);
  const all = [...media].flatMap(([evidenceId, references]) =>
    references.map((reference) => ({ path: pathOf(evidenceId, reference), reference })),
  );
  const proof: UnsignedProof = {
    version: PROOF_VERSION,
    proofId: request.proofId,
    identityId,
    tenantId,
    tenantRole: request.tenantRole,
    tenantUsed: request.tenantUsed,
    transactionId: identityId,
    ...withoutEmpty({ previousProofId: request.previousProofId }),
    componentVersion,
    startDateTime: request.startDateTime,
    endDateTime: formatDateTime(endedAt),
    ...withoutEmpty({ ips: addressesOf(history) }),
    hashes: {
      identityDetails: sha256(identityDetails),
      verificationAndEvaluationDetails: sha256(verificationAndEvaluationDetails),
      ...withoutEmpty({
        images: hashesOf(all, 'images'),
        videos: hashesOf(all, 'videos'),
        additionalFiles: hashesOf(all, 'additionalFiles'),
      }),
    },
  };
  return {
    root: `${identityId}_${formatTimestamp(endedAt)}`,
    proof,
    identityDetails,
    verificationAndEvaluationDetails,
    media: all,
  };
};
