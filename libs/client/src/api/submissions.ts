import { present } from '@assay/contracts';
import type { CallOptions, Connection, Input, ReplyOf } from './connection.ts';
import type { Upload } from './operations.d.ts';

type Body<Id extends 'submitConsents' | 'submitDocument' | 'submitHealthCard' | 'submitAttributes' | 'submitAddress'> =
  Input<Id>['body'];

export interface DocumentImages {
  front: Upload;
  back?: Upload;
  /** documentType, jurisdiction, source and what a client may tell of itself. */
  details?: { documentType?: string; jurisdiction?: string; source?: string; [name: string]: unknown };
}

export type Submitted = ReplyOf<'captureDocument'>;

/** The calls that give something to the service: consents and evidence. */
export const submissions = ({ call }: Connection) => ({
  /** Records consents (endpoint 2). */
  submitConsents: (identityId: string, body: Body<'submitConsents'>, more?: CallOptions) =>
    call('submitConsents', { path: { identityId }, body }, more),

  deleteConsent: (identityId: string, consentId: string, more?: CallOptions) =>
    call('deleteConsent', { path: { identityId, consentId } }, more),

  /** Submits document images (endpoint 3). */
  submitDocument: (
    identityId: string,
    { front, back, details }: DocumentImages,
    more?: CallOptions,
  ): Promise<Submitted> => {
    const body = {
      ...(details ? { DocumentCaptureDetails: new Blob([JSON.stringify(details)], { type: 'application/json' }) } : {}),
      DocumentFront: front,
      ...present({ DocumentBack: back }),
    };
    return call('captureDocument', { path: { identityId }, body }, more);
  },

  /** Submits document data as text (endpoint 4). */
  submitDocumentText: (identityId: string, body: Body<'submitDocument'>, more?: CallOptions): Promise<Submitted> =>
    call('submitDocument', { path: { identityId }, body }, more),

  /** Submits an Australian health-card record (endpoint 5). */
  submitHealthCard: (identityId: string, body: Body<'submitHealthCard'>, more?: CallOptions): Promise<Submitted> =>
    call('submitHealthCard', { path: { identityId }, body }, more),

  /** Submits a portrait (endpoint 6). */
  submitPortrait: (identityId: string, portrait: Upload, more?: CallOptions): Promise<Submitted> =>
    call('capturePortrait', { path: { identityId }, body: { Portrait: portrait } }, more),

  /** Opens a session in which the chip of a document is read (specification, Chip evidence). */
  startChipSession: (
    identityId: string,
    body: Input<'startChipSession'>['body'] = {},
    more?: CallOptions,
  ): Promise<ReplyOf<'startChipSession'>> => call('startChipSession', { path: { identityId }, body }, more),

  /** Begins chip authentication: what the reader sends to the chip as its last exchange. */
  authenticateChip: (
    sessionId: string,
    dataGroup14: string,
    more?: CallOptions,
  ): Promise<ReplyOf<'authenticateChip'>> =>
    call('authenticateChip', { path: { sessionId }, body: { dataGroup14 } }, more),

  /** Submits what was read of a chip, once. */
  submitChip: (
    sessionId: string,
    body: NonNullable<Input<'submitChip'>['body']>,
    more?: CallOptions,
  ): Promise<Submitted> => call('submitChip', { path: { sessionId }, body }, more),

  submitAttributes: (identityId: string, body: Body<'submitAttributes'>, more?: CallOptions): Promise<Submitted> =>
    call('submitAttributes', { path: { identityId }, body }, more),

  submitAddress: (identityId: string, body: Body<'submitAddress'>, more?: CallOptions): Promise<Submitted> =>
    call('submitAddress', { path: { identityId }, body }, more),

  deleteEvidence: (identityId: string, evidenceId: string, more?: CallOptions) =>
    call('deleteEvidence', { path: { identityId, evidenceId } }, more),
});
