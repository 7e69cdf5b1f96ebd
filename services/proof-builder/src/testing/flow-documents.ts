import { evidenceDeleted } from '@assay/contracts';
import type { EventBuilder } from './event-builder.ts';
import { adjudicated, bytesOf, good, notVerified, participant } from './flow-parts.ts';

export const passport = (flow: EventBuilder, imageBytes: number) => {
  const front = flow.medium('passport front', 'FRONT', 'image/jpeg', bytesOf(flow.idOf('passport'), imageBytes));
  const crop = flow.medium('passport portrait', 'CROP', 'image/jpeg', bytesOf('crop', 900), front);
  const id = flow.submitted(
    'passport',
    'ID_DOCUMENT',
    'ID_DOCUMENT_CAPTURE',
    { captureDetails: { documentType: 'PASSPORT', source: 'LIVE_CAPTURE_IMAGE', channel: 'webSDK', osType: 'iOS' } },
    [front],
  );
  flow.operation('ID_DOCUMENT_CAPTURE', 'ADD', [id], '/svc/v1/identities/x/id-documents/capture');
  const indicators = ['MODEL_RECOGNIZED_OK', 'MRZ_CHECKSUMS_OK', 'MRZ_FIELDS_SYNTAX_OK', 'PORTRAIT_OK'];
  const details = {
    data: {
      documentNumber: 'L898902C3',
      expiryDate: '2035-04-15',
      issuingCountry: 'UTO',
      holderInformation: [
        {
          dateOfBirth: '1974-08-12',
          gender: 'M',
          givenNames: ['BARRY', 'HENRY'],
          nationality: 'UTO',
          surname: 'SPECIMEN',
        },
      ],
      mrz: ['P<UTOSPECIMEN<<BARRY<HENRY<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122M3504159<<<<<<<<<<<<<<04'],
    },
    originLanguageData: { holderInformation: [{ surname: 'Specimen', givenNames: ['Barry Henry'] }] },
  };
  const crops = [{ mediaId: crop.mediaId, originalMediaId: front.mediaId }];
  const reading = () => [participant(flow, id, 'IMAGE_OCR', indicators, { mainOcrService: 'assay 0.1.0' })];
  flow.evaluated(id, { type: 'PASSPORT', scoring: notVerified(['GLARE_IMAGE_QUALITY_FRONT_WARNING']), details });
  const evaluation = flow.evaluated(id, {
    type: 'PASSPORT',
    scoring: good('LEVEL2', indicators),
    proof: { verificationDetails: reading(), crops },
    details,
  });
  return { id, media: [front, crop], evaluation, data: details.data };
};

export const portraits = (flow: EventBuilder, referenceId: string) => {
  const take = (name: string) => {
    const image = flow.medium(name, 'PORTRAIT', 'image/png', bytesOf(name, 4000, [0x89, 0x50, 0x4e, 0x47]));
    const id = flow.submitted(name, 'PORTRAIT', 'PORTRAIT_CAPTURE', {}, [image]);
    flow.operation('PORTRAIT_CAPTURE', 'ADD', [id], '/svc/v1/identities/x/attributes/portrait/capture');
    return { id, image };
  };
  const first = take('first portrait');
  flow.evaluated(first.id, { type: 'PORTRAIT', scoring: notVerified(['BIOMETRIC_QUALITY_CHECK_WARNING']) });
  const second = take('second portrait');
  flow.emit(evidenceDeleted, {
    evidenceId: first.id,
    type: 'PORTRAIT',
    operation: 'PORTRAIT_CAPTURE',
    reason: 'REPLACED',
    deletedAt: flow.now(),
    replacedBy: second.id,
  });
  const indicators = ['BIOMETRIC_MATCHING_CHECK_OK', 'BIOMETRIC_QUALITY_CHECK_OK'];
  const compared = participant(flow, second.id, 'BIOMETRIC_MATCHING', indicators, {
    linkedIdentityOperation: referenceId,
    referenceId,
    referenceType: 'PASSPORT',
    candidateId: second.id,
    candidateType: 'PORTRAIT',
  });
  const evaluation = flow.evaluated(second.id, {
    type: 'PORTRAIT',
    scoring: good('LEVEL2', indicators),
    loa: 'LOA2',
    references: { nameReferenceEvidenceId: referenceId, portraitReferenceEvidenceId: referenceId },
    proof: { verificationDetails: [compared], parent: referenceId },
  });
  return { id: second.id, media: [second.image], evaluation };
};

export const adjudicatedCard = (flow: EventBuilder) => {
  const sides = [
    flow.medium('card front', 'FRONT', 'image/jpeg', bytesOf('card front', 3000)),
    flow.medium('card back', 'BACK', 'image/jpeg', bytesOf('card back', 3000)),
  ];
  const id = flow.submitted('card', 'IDENTITY_CARD', 'ID_DOCUMENT_CAPTURE', { captureDetails: {} }, sides);
  flow.operation('ID_DOCUMENT_CAPTURE', 'ADD', [id], '/svc/v1/identities/x/id-documents/capture');
  const decided = adjudicated(flow, id);
  const evaluation = flow.evaluated(id, {
    type: 'IDENTITY_CARD',
    scoring: good('LEVEL3', ['DOCUMENT_ADJUDICATION_OK']),
    loa: 'LOA2',
    proof: { verificationDetails: [decided] },
    details: { data: { documentNumber: 'D23145890', issuingCountry: 'UTO' } },
  });
  return { id, media: sides, evaluation };
};

export const deletedText = (flow: EventBuilder): void => {
  const documentText = {
    idDocumentType: 'DRIVING_LICENSE',
    idDocumentNumber: 'T64235789',
    issuingCountry: 'USA',
    issuingState: 'VA',
    personalAttributes: {
      dateOfBirth: { value: '1974-08-12' },
      givenNames: [{ value: 'BARRY' }],
      surname: { value: 'SPECIMEN' },
    },
    address: { streetDetails: { streetLines: ['1 SPECIMEN STREET'] }, city: 'RICHMOND' },
  };
  const id = flow.submitted('licence text', 'DRIVING_LICENSE', 'ID_DOCUMENT', { documentText });
  flow.operation('ID_DOCUMENT', 'ADD', [id], '/svc/v1/identities/x/id-documents');
  flow.evaluated(id, { type: 'DRIVING_LICENSE', scoring: notVerified(['GIV_VERIFICATION_UNVERIFIED']), loa: 'LOA2' });
  flow.step();
  const operationId = flow.operation('ID_DOCUMENT', 'DELETE', [id], '/svc/v1/identities/x/evidences/y');
  flow.emit(evidenceDeleted, {
    evidenceId: id,
    type: 'DRIVING_LICENSE',
    operation: 'ID_DOCUMENT',
    reason: 'DELETED',
    deletedAt: flow.now(),
    operationId,
  });
};
