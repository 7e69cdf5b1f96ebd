import { contactChanged, identityStatusChanged } from '@assay/contracts';
import type { EventBuilder } from './event-builder.ts';
import { bytesOf, good, notVerified, participant } from './flow-parts.ts';

export const statements = (flow: EventBuilder) => {
  const attributes = flow.submitted('attributes', 'ATTRIBUTES', 'ATTRIBUTES', {
    attributes: { surname: { value: 'SPECIMEN' }, givenNames: [{ value: 'BARRY' }] },
  });
  const address = flow.submitted('address', 'ADDRESS', 'ATTRIBUTES', {
    address: { streetDetails: { streetLines: ['1 SPECIMEN STREET'] }, city: 'UTOPIA', postcode: '0000' },
  });
  const healthCard = flow.submitted('health card', 'MEDICARE', 'MEDICARE', {
    healthCard: {
      cardNumber: '2951638471',
      cardType: 'G',
      expiryDate: '2035-01-01',
      personalAttributes: { fullname: { value: 'BARRY SPECIMEN' }, dateOfBirth: { value: '1974-08-12' } },
    },
  });
  for (const [name, id] of [
    ['ATTRIBUTES', attributes],
    ['ATTRIBUTES', address],
    ['MEDICARE', healthCard],
  ] as const)
    flow.operation(name, 'ADD', [id], '/svc/v1/identities/x/statements');
  const evaluation = (id: string, type: 'ATTRIBUTES' | 'ADDRESS' | 'MEDICARE') =>
    flow.evaluated(id, { type, scoring: notVerified(['NAME_CONSISTENCY_CHECK_WARNING']), loa: 'LOA2' });
  return {
    attributes: { id: attributes, evaluation: evaluation(attributes, 'ATTRIBUTES') },
    address: { id: address, evaluation: evaluation(address, 'ADDRESS') },
    healthCard: { id: healthCard, evaluation: evaluation(healthCard, 'MEDICARE') },
  };
};

export const emailCode = (flow: EventBuilder): string => {
  const evidenceId = flow.idOf('email');
  const submitDateTime = flow.step();
  const publish = (
    contactRevision: number,
    status: 'PENDING' | 'DONE',
    name: 'EMAIL_OTP' | 'EMAIL_OTP_VERIFICATION',
  ) => {
    const path = status === 'DONE' ? 'contacts/email/otp' : 'contacts/email';
    const operationId = flow.operation(name, 'ADD', [evidenceId], `/svc/v1/identities/x/${path}`);
    flow.emit(contactChanged, {
      evidenceId,
      channel: 'EMAIL',
      contactRevision,
      otp: { status, creationTime: submitDateTime, timeout: 300 },
      verified: status === 'DONE',
      submitDateTime,
      operationId,
      sealedContact: flow.sealed('contact', { value: 'specimen@mail.example', language: 'en' }),
    });
  };
  publish(1, 'PENDING', 'EMAIL_OTP');
  flow.step(20);
  publish(2, 'DONE', 'EMAIL_OTP_VERIFICATION');
  flow.evaluated(evidenceId, { type: 'EMAIL', scoring: good('LEVEL1', ['EMAIL_OTP_VALIDATION_OK']), loa: 'LOA2' });
  return evidenceId;
};

export const unlisted = (flow: EventBuilder) => {
  const reference = flow.medium('reference', 'PORTRAIT', 'image/jpeg', bytesOf('reference', 2500));
  const referenceId = flow.submitted('reference', 'PORTRAIT_REFERENCE', 'PORTRAIT_REFERENCE', {}, [reference]);
  flow.operation('PORTRAIT_REFERENCE', 'ADD', [referenceId], '/svc/v1/identities/x/portrait-reference');
  flow.evaluated(referenceId, {
    type: 'PORTRAIT_REFERENCE',
    scoring: good('LEVEL1', ['BIOMETRIC_QUALITY_CHECK_OK']),
    loa: 'LOA2',
  });
  const files = [
    flow.medium('contract', 'ADDITIONAL_FILE', 'application/pdf', Buffer.from('%PDF-1.4 synthetic\n%%EOF\n')),
    flow.medium('note', 'ADDITIONAL_FILE', 'text/plain', Buffer.from('a synthetic note\n')),
  ];
  const metadata = [{ key: 'kind', value: 'contract' }];
  const filesId = flow.submitted('files', 'ADDITIONAL_FILE', 'ADDITIONAL_FILE', { metadata }, files);
  flow.operation('ADDITIONAL_FILE', 'ADD', [filesId], '/svc/v1/identities/x/additional-files');
  return { referenceId, reference, filesId, files };
};

export const liveSession = (flow: EventBuilder) => {
  const frame = flow.medium('frame', 'FRONT', 'image/jpeg', bytesOf('frame', 2000));
  const video = flow.medium('video', 'VIDEO', 'video/webm', bytesOf('video', 6000, [0x1a, 0x45, 0xdf, 0xa3]));
  const sessionId = flow.idOf('session');
  const id = flow.submitted('live document', 'ID_DOCUMENT', 'ID_DOCUMENT_LIVE_CAPTURE', {}, [frame, video], {
    sessionId,
  });
  flow.operation('ID_DOCUMENT_LIVE_CAPTURE', 'ADD', [id], '/svc/v1/identities/x/id-documents/live-capture-session');
  for (const step of ['frames', 'end']) {
    flow.step();
    flow.operation('ID_DOCUMENT_LIVE_CAPTURE', 'ADD', [id], `/svc/v1/live-capture-sessions/s/${step}`);
  }
  const evaluation = flow.evaluated(id, {
    type: 'ID_DOCUMENT',
    scoring: notVerified(['BLUR_IMAGE_QUALITY_FRONT_WARNING']),
    loa: 'LOA2',
    proof: {
      verificationDetails: [
        participant(flow, id, 'IMAGE_OCR', ['BLUR_IMAGE_QUALITY_FRONT_WARNING'], { mainOcrService: 'assay 0.1.0' }),
      ],
    },
    more: { errors: [{ code: '1506', message: 'The image quality is too low' }] },
  });
  return { id, media: [frame, video], evaluation };
};

export const pauseAndResume = (flow: EventBuilder): void => {
  for (const identityStatus of ['PAUSED', 'EXPECTING_INPUT'] as const)
    flow.emit(identityStatusChanged, {
      identityStatus,
      completedAt: flow.step(60),
      notify: identityStatus === 'PAUSED',
    });
  flow.operation(undefined, 'ADD', [], '/svc/v1/identities/x/resume');
};
