import {
  FAMILY_OF_TYPE,
  FURTHER_FILE_KEY,
  formatTimestamp,
  type Identity,
  type Proof,
  parseDateTime,
  present,
  type VerificationAndEvaluationDetails,
} from '@assay/contracts';
import { chipFileOf, namedMedia } from './contents.ts';
import { byId, onceEach, repeated } from './lookups.ts';
import type { Reason } from './report.ts';

type Element = VerificationAndEvaluationDetails;

/** The three files of an archive, read. */
export interface ProofFiles {
  root: string;
  proof: Proof;
  identity: Identity;
  elements: readonly Element[];
}

const refuse = (reason: string, where?: string): Reason => ({
  check: 'consistency',
  reason,
  ...present({ where }),
});

const names = ({ root, proof, identity }: ProofFiles): Reason[] => [
  ...(root === `${proof.identityId}_${formatTimestamp(parseDateTime(proof.endDateTime))}`
    ? []
    : [refuse('the root folder is not named after the identity and the end of proofing', root)]),
  ...(identity.globalStatus.id === proof.identityId ? [] : [refuse('identityDetails.json is of another identity')]),
  ...(proof.startDateTime <= proof.endDateTime ? [] : [refuse('proofing ended before it began')]),
];

const listed = ({ attributes, addresses, idDocuments, portrait }: Identity) => [
  ...attributes,
  ...addresses,
  ...idDocuments,
  ...(portrait ? [portrait] : []),
];

const additionsOf = (elements: readonly Element[]): Map<string, Element> =>
  new Map(
    elements
      .filter(({ identityOperation }) => identityOperation.type === 'ADD')
      .map((element) => [element.participantContextId, element]),
  );

const oneElementEach = ({ identity, elements }: ProofFiles): Reason[] => {
  const keys = elements.map(
    ({ identityOperation: { type }, participantContextId }) => `${type} ${participantContextId}`,
  );
  const additions = additionsOf(elements);
  const deleted = elements.filter(({ identityOperation }) => identityOperation.type === 'DELETE');
  const current = [
    ...listed(identity).map(({ evidenceId }) => evidenceId),
    ...identity.consents.map(({ consentId }) => consentId),
  ];
  const deletedIds = new Set(deleted.map(({ participantContextId }) => participantContextId));
  return [
    ...repeated(keys).map((key) => refuse('two elements of the same operation', key)),
    ...current
      .filter((id) => !additions.has(id))
      .map((id) => refuse('no element for an evidence or consent of identityDetails.json', id)),
    ...current
      .filter((id) => deletedIds.has(id))
      .map((id) => refuse('an evidence or consent was deleted and is there', id)),
    ...[...deletedIds].filter((id) => !additions.has(id)).map((id) => refuse('a deletion of what was never added', id)),
    ...elements
      .filter(({ identityOperation: { id }, participantContextId }) => id !== undefined && id !== participantContextId)
      .map(({ participantContextId }) => refuse('an operation has another id than its element', participantContextId)),
  ];
};

const detailsAgree = ({ elements }: ProofFiles): Reason[] =>
  elements.flatMap(({ evidenceDetails, participantContextId, identityOperation, verificationDetails }) => {
    if (!evidenceDetails) return [];
    const { id, family, type, captureImages, photoCrops, video, data } = evidenceDetails;
    const empty = !captureImages && !photoCrops && !video && !data && !verificationDetails?.length;
    return [
      ...(id === participantContextId ? [] : [refuse('evidenceDetails of another evidence', id)]),
      ...(FAMILY_OF_TYPE[type] === family ? [] : [refuse('an evidence has the wrong family', id)]),
      ...(identityOperation.type === 'ADD' || empty ? [] : [refuse('a deletion carries what was deleted', id)]),
    ];
  });

const statusesAgree = ({ identity, elements }: ProofFiles): Reason[] => {
  const additions = additionsOf(elements);
  const evaluatedBy = onceEach(({ evaluationDetails }: Element) =>
    byId((evaluationDetails?.evidences ?? []).map(({ id, statusAndScoring }) => [id, statusAndScoring])),
  );
  return listed(identity).flatMap(({ evidenceId, type, evidenceStatus }) => {
    const element = additions.get(evidenceId);
    const evaluated = evaluatedBy(element)?.get(evidenceId);
    const { status, score, strength } = evidenceStatus;
    return [
      ...(['PROCESSING', 'ADJUDICATION'].includes(status) ? [refuse('an evidence is not finished', evidenceId)] : []),
      ...(element?.evidenceDetails && element.evidenceDetails.type !== type
        ? [refuse('the type of an evidence differs', evidenceId)]
        : []),
      ...(evaluated && evaluated.status !== status ? [refuse('the status of an evidence differs', evidenceId)] : []),
      ...(evaluated && score && evaluated.score !== score
        ? [refuse('the score of an evidence differs', evidenceId)]
        : []),
      ...(evaluated && strength && evaluated.strength !== strength
        ? [refuse('the strength of an evidence differs', evidenceId)]
        : []),
      ...(evidenceStatus.evaluationDateTime && !evaluated
        ? [refuse('an evaluated evidence has no evaluation', evidenceId)]
        : []),
    ];
  });
};

const consentsAgree = ({ identity, elements }: ProofFiles): Reason[] => {
  const additions = additionsOf(elements);
  const consentsOf = onceEach(({ consentsDetails }: Element) =>
    byId((consentsDetails?.consents ?? []).map((consent) => [consent.consentId, consent])),
  );
  return identity.consents.flatMap((consent) => {
    const added = consentsOf(additions.get(consent.consentId))?.get(consent.consentId);
    const same = added?.type === consent.type && added.approved === consent.approved;
    return same ? [] : [refuse('a consent differs', consent.consentId)];
  });
};

/** The files of chips, each with the evidence in whose folder it is. */
const chipFiles = (proof: Proof) =>
  namedMedia(proof).flatMap(({ media: { id, path } }) => {
    const file = chipFileOf(path);
    return file ? [{ ...file, id, path }] : [];
  });

/**
 * The files of a chip stand in the folder of an evidence that was read of a chip, and is attached
 * still.
 */
const chipsAreAttached = ({ proof, elements }: ProofFiles): Reason[] => {
  const read = elements.filter(({ identityOperation: { name } }) => name === 'EVIDENCE_NFC_VERIFICATION');
  const deletedIds = new Set(
    read
      .filter(({ identityOperation: { type } }) => type === 'DELETE')
      .map(({ participantContextId }) => participantContextId),
  );
  const attached = new Set(
    read.map(({ participantContextId }) => participantContextId).filter((evidenceId) => !deletedIds.has(evidenceId)),
  );
  return chipFiles(proof)
    .filter(({ evidenceId }) => !attached.has(evidenceId))
    .map(({ path }) => refuse('a file of a chip that no element was read of', path));
};

/**
 * Each image is named by exactly one captureImages or photoCrops id; each video and additional file
 * by its element.
 */
const mediaAreNamed = ({ proof, elements }: ProofFiles): Reason[] => {
  const chips = new Set(chipFiles(proof).map(({ id }) => id));
  const inFolder = (folder: string) =>
    namedMedia(proof)
      .filter((named) => named.folder === folder && !chips.has(named.media.id))
      .map(({ media }) => media.id);
  const captures = elements.flatMap(({ evidenceDetails }) =>
    (evidenceDetails?.captureImages ?? []).flatMap(({ id }) => id ?? []),
  );
  const captured = new Set(captures);
  const crops = elements.flatMap(({ evidenceDetails }) => evidenceDetails?.photoCrops ?? []);
  const files = elements.flatMap(({ additionalFile }) =>
    additionalFile
      ? [
          additionalFile.id,
          ...additionalFile.metadata.filter(({ key }) => key === FURTHER_FILE_KEY).map(({ value }) => value),
        ]
      : [],
  );
  const compare = (folder: string, ids: readonly string[]): Reason[] => {
    const there = new Set(inFolder(folder));
    const [named, twice] = [new Set(ids), new Set(repeated(ids))];
    return [
      ...[...there]
        .filter((id) => !named.has(id) || twice.has(id))
        .map((id) => refuse('a medium is not named by exactly one element', id)),
      ...ids.filter((id) => !there.has(id)).map((id) => refuse('an element names a medium that is not there', id)),
    ];
  };
  return [
    ...compare('images', [...captures, ...crops.flatMap(({ id }) => id ?? [])]),
    ...compare(
      'videos',
      elements.flatMap(({ evidenceDetails }) => evidenceDetails?.video ?? []),
    ),
    ...compare('additionalFiles', files),
    ...crops.flatMap(({ originalCaptureId }) =>
      originalCaptureId === undefined || captured.has(originalCaptureId) || chips.has(originalCaptureId)
        ? []
        : [refuse('a crop of an image that is not there', originalCaptureId)],
    ),
  ];
};

const referencesOf = ({ identity, elements }: ProofFiles): string[] =>
  [
    identity.globalStatus.nameReferenceEvidenceId ?? [],
    identity.globalStatus.portraitReferenceEvidenceId ?? [],
    ...listed(identity).flatMap((record) => ('referenceIds' in record ? (record.referenceIds ?? []) : [])),
    ...elements.flatMap(
      ({
        identityOperationParent,
        identityOperationChild,
        verificationDetails,
        evaluationDetails,
        evidenceDetails,
      }) => [
        identityOperationParent ?? [],
        identityOperationChild ?? [],
        evidenceDetails?.attributesReferenceId ?? [],
        evidenceDetails?.addressReferenceId ?? [],
        ...(evaluationDetails?.evidences ?? []).map(({ id }) => id),
        ...(verificationDetails ?? []).flatMap(
          ({ linkedIdentityOperation, verificationId, referenceId, candidateId }) => [
            linkedIdentityOperation ?? [],
            verificationId ?? [],
            referenceId ?? [],
            candidateId ?? [],
          ],
        ),
      ],
    ),
  ].flat(3);

const referencesExist = (files: ProofFiles): Reason[] => {
  const known = new Set(files.elements.map(({ participantContextId }) => participantContextId));
  const unknown = new Set(referencesOf(files).filter((id) => !known.has(id)));
  return [...unknown].map((id) => refuse('an id is referenced that no element has', id));
};

const FOR_EACH_EVIDENCE = [oneElementEach, detailsAgree, statusesAgree, consentsAgree];
const BETWEEN_EVIDENCES = [mediaAreNamed, chipsAreAttached, referencesExist];

/** What must hold between the files of one archive, whoever signed it. */
export const checkConsistency = (files: ProofFiles): Reason[] =>
  [names, ...FOR_EACH_EVIDENCE, ...BETWEEN_EVIDENCES].flatMap((check) => check(files));
