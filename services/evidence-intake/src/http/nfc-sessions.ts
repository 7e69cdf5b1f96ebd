import {
  ChipAuthenticationRequestSchema,
  ChipDataRequestSchema,
  formatDateTime,
  NfcSessionRequestSchema,
  WANTED_DATA_GROUPS,
} from '@assay/contracts';
import { ApiError, claimsOf, ok, parseBody, type Reply } from '@assay/http';
import type { Request } from 'express';
import { acceptedSubmission } from '../flows/accept-submission.ts';
import { openReadings } from '../flows/chip-readings.ts';
import type { ChipSessions } from '../flows/chip-sessions.ts';
import type { Evidence, EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';

export interface Deps {
  chipSessions: ChipSessions;
  evidences: EvidenceStore;
  media: MediaStore;
}

/**
 * POST /internal/v1/nfc-sessions: opens a session in which a chip is read. Answers what the capture
 * route answers, with sessionId, expireAt, dataGroups and the challenge for active authentication.
 */
export const createNfcSessionRoute =
  ({ chipSessions }: Pick<Deps, 'chipSessions'>) =>
  async (request: Request): Promise<Reply> => {
    const claims = claimsOf(request);
    const evidence = await chipSessions.start(claims, parseBody(NfcSessionRequestSchema, request.body));
    const { sessionId, expiresAt } = evidence.session ?? {};
    const challenge = await chipSessions.challengeOf(claims, evidence);
    if (!expiresAt || !challenge) throw new ApiError('STATE_CONFLICT');
    return ok({
      ...acceptedSubmission(evidence),
      sessionId,
      expireAt: formatDateTime(expiresAt),
      dataGroups: WANTED_DATA_GROUPS,
      activeAuthenticationChallenge: challenge,
    });
  };

const sessionOf = async ({ evidences }: Deps, request: Request): Promise<Evidence> => {
  const evidence = await evidences.findSession(String(request.params.sessionId), claimsOf(request).identityId);
  if (evidence?.session?.request.kind !== 'CHIP') throw new ApiError('NOT_FOUND');
  return evidence;
};

/**
 * POST /internal/v1/nfc-sessions/:sessionId/chip-authentication {dataGroup14}: the server's key,
 * and the command only it can protect.
 */
export const createChipAuthenticationRoute =
  (deps: Deps) =>
  async (request: Request): Promise<Reply> => {
    const evidence = await sessionOf(deps, request);
    const { dataGroup14 } = parseBody(ChipAuthenticationRequestSchema, request.body);
    const bytes = Buffer.from(dataGroup14, 'base64');
    return ok(await deps.chipSessions.authenticate(claimsOf(request), evidence, bytes));
  };

/**
 * POST /internal/v1/nfc-sessions/:sessionId/data: the files of the chip and its answers, once; 409
 * for a second call and after the end.
 */
export const createChipDataRoute =
  (deps: Deps) =>
  async (request: Request): Promise<Reply> => {
    const evidence = await sessionOf(deps, request);
    // The gateway passes on what the client sent.
    const body = parseBody(ChipDataRequestSchema, request.body, { nullIsAbsent: true });
    const submitted = await deps.chipSessions.submit(claimsOf(request), evidence, body);
    return ok({ ...acceptedSubmission(submitted), sessionId: submitted.session?.sessionId });
  };

/**
 * GET /internal/v1/evidences/:evidenceId/chip-files: the files of its chip, base64 by the ids of
 * their media.
 */
export const createChipFilesRoute =
  ({ media }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const { identityId, key } = claimsOf(request);
    if (!key) throw new ApiError('BAD_FIELD', { message: 'the token grants no key' });
    const readings = await media.readings(identityId, String(request.params.evidenceId));
    if (readings.length === 0) throw new ApiError('NOT_FOUND');
    const files = [...openReadings(readings, key)].map(([mediaId, bytes]) => [mediaId, bytes.toString('base64')]);
    return ok(Object.fromEntries(files));
  };
