import { type Api, Refused, type Submitted } from './api.ts';
import type { LiveCapture } from './session.ts';

export interface Photo {
  image: Blob;
  /** Taken by the camera of this page, and no file. */
  live: boolean;
}

export interface Shot {
  name: 'DocumentFront' | 'DocumentBack' | 'Portrait';
  title: string;
}

export interface Submission {
  identityId: string;
  step: 'DOCUMENT' | 'PORTRAIT';
  documentType?: string | undefined;
  shots: readonly Shot[];
  photos: readonly Photo[];
  /** One for each submission: whatever is sent twice counts once. */
  idempotencyKey: string;
}

const pathOf = ({ identityId, step }: Submission): string =>
  `/identities/${identityId}/${step === 'DOCUMENT' ? 'id-documents' : 'attributes/portrait'}`;

const formOf = ({ shots, photos, documentType }: Submission): FormData => {
  const form = new FormData();
  shots.forEach(({ name }, at) => {
    form.append(name, photos[at]!.image, `${name}.jpg`);
  });
  if (documentType)
    form.append('DocumentCaptureDetails', JSON.stringify({ documentType, source: 'OTHER', channel: 'webSDK' }));
  return form;
};

const frameOf = ({ name }: Shot, { image }: Photo): FormData => {
  const form = new FormData();
  if (name !== 'Portrait') form.append('side', name === 'DocumentBack' ? 'BACK' : 'FRONT');
  form.append('Frame', image, `${name}.jpg`);
  return form;
};

interface Sending {
  onProgress: (share: number) => void;
  /** Told before the first frame, so that a reload can end what was begun. */
  onLive: (live: LiveCapture) => void;
}

/** A live capture was open for too long: its photos have to be sent as another one. */
const LOST = 408;
export const isLost = ({ status }: Refused): boolean => status === LOST;
const lostOr = (error: Refused): never => {
  throw error.errors.some(({ code }) => code === '4090') ? new Refused(LOST) : error;
};

/** A live capture of the photos that were reviewed, and of no other. */
const submitLive = async (api: Api, submission: Submission, { onProgress, onLive }: Sending): Promise<Submitted> => {
  const { step, documentType, shots, photos, idempotencyKey: key } = submission;
  const asked = step === 'DOCUMENT' ? { idDocumentType: documentType } : { type: 'LIVENESS_PASSIVE' };
  const { sessionId, id } = await api.startLive(`${pathOf(submission)}/live-capture-session`, asked, `${key}-live`);
  const endKey = `${key}-end`;
  onLive({ step, sessionId, evidenceId: id, endKey });
  for (const [at, shot] of shots.entries())
    await api
      .upload({
        path: `/live-capture-sessions/${sessionId}/frames`,
        form: frameOf(shot, photos[at]!),
        idempotencyKey: `${key}-${shot.name}`,
        onProgress: (share) => onProgress((at + share) / shots.length),
      })
      .catch(lostOr);
  return api.endLive(sessionId, endKey).catch(lostOr);
};

/**
 * Sends the photos of a step. What the camera of this page took goes as a live capture, which the
 * proof says of it; a file does not. Sent again with the same key it is the same submission.
 */
export const submitPhotos = (api: Api, submission: Submission, sending: Sending): Promise<Submitted> =>
  submission.photos.every(({ live }) => live)
    ? submitLive(api, submission, sending)
    : api.upload({
        path: `${pathOf(submission)}/capture`,
        form: formOf(submission),
        idempotencyKey: submission.idempotencyKey,
        onProgress: sending.onProgress,
      });
