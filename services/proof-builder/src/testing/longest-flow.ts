import { createHash } from 'node:crypto';
import {
  type Consent,
  consentsChanged,
  type Envelope,
  type EvidenceRecord,
  identityCreated,
  type PortraitRecord,
  type ProofRequest,
  present,
} from '@assay/contracts';
import { createEventBuilder, type EventBuilder, type Medium, statusShown } from './event-builder.ts';
import { chipDocument } from './flow-chip.ts';
import { adjudicatedCard, deletedText, passport, portraits } from './flow-documents.ts';
import { emailCode, liveSession, pauseAndResume, statements, unlisted } from './flow-others.ts';

/**
 * A whole synthetic identity: its events, its media, and the gateway's request for the proof. No
 * real person is in it.
 */
export interface Flow {
  identityId: string;
  key: Buffer;
  events: Envelope<unknown>[];
  /** The stored media of each attached evidence. */
  media: Map<string, Medium[]>;
  request: ProofRequest;
}

export interface FlowOptions {
  imageBytes?: number;
  videosInProof?: boolean;
  /** The files of a chip, by name: the passport is then read from its chip, too. */
  chip?: ReadonlyMap<string, Buffer>;
}

const settings = {
  policy: { name: 'default', version: '1' },
  acceptSpecimens: true,
  issuingSources: { enabled: true, userCategory: 'COMMERCIAL' as const },
  adjudication: { enabled: true, fourEyes: false, expirySeconds: 60 },
};

const begin = (flow: EventBuilder): void => {
  flow.emit(identityCreated, {
    creationDateTime: flow.now(),
    tenantRole: 'RELYING_SERVICE',
    settings,
    sealedDetails: flow.sealed('details', {
      businessId: 'order-7',
      previousProofId: flow.idOf('previous proof'),
      contact: { email: 'specimen@mail.example', landline: '+61255500100', language: 'en', username: 'specimen' },
    }),
  });
};

const consent = (flow: EventBuilder) => {
  const recorded: Consent[] = (['PORTRAIT', 'GIV', 'EMAIL_OTP'] as const).map((type) => ({
    consentId: flow.idOf(`consent ${type}`),
    approved: true,
    type,
  }));
  const ids = recorded.map(({ consentId }) => consentId);
  flow.step();
  const added = flow.operation('CONSENTS', 'ADD', ids, '/svc/v1/identities/x/consents');
  flow.emit(consentsChanged, {
    consentsRevision: 1,
    consents: recorded,
    change: { type: 'ADD', consents: recorded },
    operationId: added,
  });
  const [first, second, withdrawn] = recorded as [Consent, Consent, Consent];
  flow.step();
  const removed = flow.operation('CONSENTS', 'DELETE', [withdrawn.consentId], '/svc/v1/identities/x/consents/y');
  flow.emit(consentsChanged, {
    consentsRevision: 2,
    consents: [first, second],
    change: { type: 'DELETE', consents: [withdrawn] },
    operationId: removed,
  });
  return [first, second];
};

const record = (
  part: { id: string; evaluation: ReturnType<EventBuilder['evaluated']> },
  data: object,
): EvidenceRecord => ({
  evidenceId: part.id,
  submitDateTime: '2026-03-02T10:00:01.000',
  type: part.evaluation.type,
  evidenceStatus: {
    ...statusShown(part.evaluation),
    ...present({ errors: part.evaluation.errors }),
  },
  ...data,
});

/**
 * The longest flow: every evidence type, one deleted, one replaced, one re-evaluated, one
 * adjudicated. A consent is withdrawn, the identity is paused and resumed, and it continues a
 * closed one.
 */
export const longestFlow = (name = 'longest', options: FlowOptions = {}): Flow => {
  const key = createHash('sha256').update(`key of ${name}`).digest();
  const hex = createHash('sha256').update(name).digest('hex');
  const identityId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const flow = createEventBuilder(identityId, key);
  const startDateTime = flow.now();
  begin(flow);
  const consents = consent(flow);
  const document = passport(flow, options.imageBytes ?? 5000);
  const portrait = portraits(flow, document.id);
  const card = adjudicatedCard(flow);
  deletedText(flow);
  const stated = statements(flow);
  const emailId = emailCode(flow);
  const more = unlisted(flow);
  const live = liveSession(flow);
  const chips = options.chip ? [chipDocument(flow, options.chip)] : [];
  pauseAndResume(flow);
  const portraitRecord: PortraitRecord = {
    evidenceId: portrait.id,
    submitDateTime: '2026-03-02T10:00:01.000',
    type: 'PORTRAIT',
    evidenceStatus: statusShown(portrait.evaluation),
    portraitQuality: true,
  };
  const listed = [document, card, stated.healthCard, live, ...chips];
  return {
    identityId,
    key,
    events: flow.events,
    media: new Map([
      [document.id, document.media],
      [portrait.id, portrait.media],
      [card.id, card.media],
      [more.referenceId, [more.reference]],
      [more.filesId, more.files],
      [live.id, live.media],
      ...chips.map(({ id, media }) => [id, media] as const),
    ]),
    request: {
      proofId: flow.idOf('proof'),
      identity: {
        globalStatus: {
          id: identityId,
          status: 'EXPECTING_INPUT',
          levelOfAssurance: 'LOA2',
          creationDateTime: startDateTime,
          evaluationDateTime: live.evaluation.evaluationDateTime,
          nameReferenceEvidenceId: document.id,
          portraitReferenceEvidenceId: document.id,
          upgradePaths: {},
        },
        consents,
        attributes: [
          record(stated.attributes, { attributesData: { surname: { value: 'SPECIMEN', verified: false } } }),
        ],
        addresses: [record(stated.address, { addressData: { city: 'UTOPIA', verified: false } })],
        idDocuments: listed.map((part) => record(part, { idDocumentData: {} })),
        portrait: portraitRecord,
      },
      tenantRole: 'RELYING_SERVICE',
      tenantUsed: 'default 1',
      previousProofId: flow.idOf('previous proof'),
      businessId: 'order-7',
      caseRevision: flow.revision(),
      consentsRevision: 2,
      operationIds: flow.events
        .filter(({ type }) => type === 'operation.recorded')
        .map(({ data }) => (data as { operationId: string }).operationId),
      evidenceIds: [...listed, portrait, stated.attributes, stated.address]
        .map(({ id }) => id)
        .concat(emailId, more.referenceId, more.filesId),
      startDateTime,
      videosInProof: options.videosInProof ?? false,
      graceSeconds: 60,
    },
  };
};
