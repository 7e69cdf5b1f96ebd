import { CHIP_DATA_BYTES } from '@assay/contracts';
import {
  createDoctorRoute,
  type InternalKeys,
  jsonBody,
  methodNotAllowed,
  reply,
  requireToken,
  type ServiceName,
} from '@assay/http';
import { type Express, Router } from 'express';
import {
  type Deps as ArchiveDeps,
  createReleaseRoute,
  createRetainedMediumRoute,
  createRetainRoute,
} from './archives.ts';
import { type Deps as CaptureDeps, createCaptureRoute } from './capture.ts';
import { createEndRoute, createFramesRoute, createSessionRoute, type Deps as SessionDeps } from './live-sessions.ts';
import { createCropRoute, createMediaListRoute, createMediumRoute, type Deps as MediaDeps } from './media.ts';
import {
  type Deps as ChipDeps,
  createChipAuthenticationRoute,
  createChipDataRoute,
  createChipFilesRoute,
  createNfcSessionRoute,
} from './nfc-sessions.ts';
import { createSubmissionRoute } from './submissions.ts';

const RETAIN_LIMIT = 4 * 1024 * 1024;
/** More than the gateway lets through, as it writes the body of chip authentication anew. */
const CHIP_DATA_LIMIT = CHIP_DATA_BYTES + 64 * 1024;

export interface Deps extends ArchiveDeps, CaptureDeps, SessionDeps, ChipDeps, MediaDeps {
  /** Check the tokens of calls between services. */
  keys: InternalKeys;
}

/** Every internal route of evidence-intake; each names the services that may call it. */
export const routes =
  (deps: Deps) =>
  (app: Express): void => {
    const router = Router();
    const callers = (...services: ServiceName[]) => requireToken(deps.keys, services);
    const gateway = callers('gateway');
    const proofBuilder = callers('proof-builder');
    router.post('/evidences/capture', gateway, reply(createCaptureRoute(deps)));
    router.post('/evidences', gateway, jsonBody({ limit: 256 * 1024 }), reply(createSubmissionRoute(deps)));
    router.all('/evidences', gateway, methodNotAllowed('POST'));
    router.get('/evidences/:evidenceId/media', callers('gateway', 'proof-builder'), reply(createMediaListRoute(deps)));
    router.get('/evidences/:evidenceId/chip-files', callers('verification-worker'), reply(createChipFilesRoute(deps)));
    router.put('/evidences/:evidenceId/crops/:mediaId', callers('verification-worker'), reply(createCropRoute(deps)));
    router.get('/media/:mediaId', callers('gateway', 'verification-worker'), reply(createMediumRoute(deps)));
    router.put(
      '/archives/:archiveId/media',
      proofBuilder,
      jsonBody({ limit: RETAIN_LIMIT }),
      reply(createRetainRoute(deps)),
    );
    router.delete('/archives/:archiveId/media', proofBuilder, reply(createReleaseRoute(deps)));
    router.get('/archives/:archiveId/media/:mediaId', proofBuilder, reply(createRetainedMediumRoute(deps)));
    router.post('/live-sessions', gateway, jsonBody(), reply(createSessionRoute(deps)));
    router.post('/live-sessions/:sessionId/frames', gateway, reply(createFramesRoute(deps)));
    router.post('/live-sessions/:sessionId/end', gateway, reply(createEndRoute(deps)));
    router.post('/nfc-sessions', gateway, jsonBody(), reply(createNfcSessionRoute(deps)));
    const chipData = jsonBody({ limit: CHIP_DATA_LIMIT });
    const chip = '/nfc-sessions/:sessionId';
    router.post(`${chip}/chip-authentication`, gateway, chipData, reply(createChipAuthenticationRoute(deps)));
    router.post(`${chip}/data`, gateway, chipData, reply(createChipDataRoute(deps)));
    router.get('/doctor', gateway, reply(createDoctorRoute('evidence-intake')));
    app.use('/internal/v1', router);
  };
