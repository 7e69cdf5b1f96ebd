import { jsonBody, methodNotAllowed, reply, requireToken } from '@assay/http';
import { type Express, Router } from 'express';
import type { Intake } from '../service.ts';
import { createHeldMediumRoute, createHoldRoute, createLetGoRoute } from './archives.ts';
import { createCaptureRoute } from './capture.ts';
import { createEndRoute, createFramesRoute, createSessionRoute } from './live-sessions.ts';
import { createCropRoute, createMediaListRoute, createMediumRoute } from './media.ts';
import { createSubmissionRoute } from './submissions.ts';

const HOLD_LIMIT = 4 * 1024 * 1024;

/** Every internal route of evidence-intake; all need a token of the suite. */
export const routes =
  (intake: Intake, secret: string) =>
  (app: Express): void => {
    const router = Router();
    router.use(requireToken(secret));
    router.post('/evidences/capture', reply(createCaptureRoute(intake)));
    router.post('/evidences', jsonBody({ limit: 256 * 1024 }), reply(createSubmissionRoute(intake)));
    router.all('/evidences', methodNotAllowed('POST'));
    router.get('/evidences/:evidenceId/media', reply(createMediaListRoute(intake)));
    router.put('/evidences/:evidenceId/crops/:mediaId', reply(createCropRoute(intake)));
    router.get('/media/:mediaId', reply(createMediumRoute(intake)));
    router.put('/archives/:archiveId/media', jsonBody({ limit: HOLD_LIMIT }), reply(createHoldRoute(intake)));
    router.delete('/archives/:archiveId/media', reply(createLetGoRoute(intake)));
    router.get('/archives/:archiveId/media/:mediaId', reply(createHeldMediumRoute(intake)));
    router.post('/live-sessions', jsonBody(), reply(createSessionRoute(intake)));
    router.post('/live-sessions/:sessionId/frames', reply(createFramesRoute(intake)));
    router.post('/live-sessions/:sessionId/end', reply(createEndRoute(intake)));
    app.use('/internal/v1', router);
  };
