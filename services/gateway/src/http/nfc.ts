import {
  CHIP_DATA_BYTES,
  ChipAuthenticationReplySchema,
  ChipAuthenticationRequestSchema,
  ChipDataRequestSchema,
  declaredTypeOf,
  NfcSessionReplySchema,
  type NfcSessionRequest,
  NfcSessionRequestSchema,
  SubmissionReplySchema,
} from '@assay/contracts';
import { ApiError, type Reply, sentJsonOf } from '@assay/http';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { accessKeyOf, isDocumentImage } from '../domain/access-key.ts';
import { ROLES } from '../domain/roles.ts';
import type { Access } from '../flows/access.ts';
import { tenantOf } from '../flows/caller.ts';
import type { LiveCapture } from '../flows/live-capture.ts';
import type { Submit } from '../flows/submission.ts';
import { type Call, type CallOf, identityIdOf, param } from './call.ts';
import { JSON_ERRORS, type Route, route } from './route.ts';

interface Deps {
  submit: Submit;
  access: Access;
  intake: EvidenceIntake;
  liveCapture: LiveCapture;
}

type StartCall = Call<NfcSessionRequest, 'identityId', never>;

/**
 * What opens the chip, from the image evidence that was named; undefined where the identity has no
 * such evidence.
 */
const accessKeyFor = async ({ access }: Deps, call: CallOf<'identityId'>, evidenceId: string | undefined) => {
  if (evidenceId === undefined) return {};
  const opened = await access.open(call, identityIdOf(call));
  const image = opened.identity.evidences.find((entry) => entry.evidenceId === evidenceId);
  if (!image || !isDocumentImage(image)) return undefined;
  const accessKey = accessKeyOf(image.type, access.dataOf(opened)(image).idDocumentData);
  return accessKey ? { accessKey } : {};
};

/** The key is of a document that may be deleted: it is not stored. */
const withoutAccessKey = (body: unknown): object => {
  const { accessKey: _, ...others } = body as { accessKey?: unknown };
  return others;
};

const withAccessKey =
  (deps: Deps) =>
  async (call: StartCall, reply: Reply): Promise<Reply> => {
    const { evidenceId } = call.body;
    return { ...reply, body: { ...(reply.body as object), ...(await accessKeyFor(deps, call, evidenceId)) } };
  };

const start =
  (deps: Deps) =>
  async (call: StartCall): Promise<Reply> => {
    const request = call.body;
    const key = await accessKeyFor(deps, call, request.evidenceId);
    if (!key)
      throw new ApiError('BAD_FIELD', { field: 'evidenceId', message: 'is no document by images of this identity' });
    const type = declaredTypeOf(request.idDocumentType) ?? 'ID_DOCUMENT';
    const sessionTimeoutSeconds = tenantOf(call).effective.chip.timeoutSeconds;
    const submission = { type, operation: 'EVIDENCE_NFC_VERIFICATION', consent: 'DOCUMENT_CAPTURE' } as const;
    const reply = await deps.submit(call, identityIdOf(call), submission, (claims) =>
      deps.intake.startChipSession({ ...claims, sessionTimeoutSeconds }, request),
    );
    return { ...reply, body: { ...(reply.body as object), ...key } };
  };

/**
 * Sessions in which the chip of a document is read (specification, Chip evidence): an evidence from
 * the start.
 */
export const nfcRoutes = (deps: Deps): Route[] => {
  const { intake, liveCapture } = deps;
  const common = { method: 'post' as const, tag: 'Chip', roles: ROLES.CLIENTS };
  return [
    route({
      ...common,
      id: 'startChipSession',
      path: '/identities/{identityId}/id-documents/nfc-session',
      summary: 'Begin to read the chip of a document',
      body: { kind: 'json', schema: NfcSessionRequestSchema, nullIsAbsent: true, mayBeAbsent: true },
      reply: { description: 'The session', schema: NfcSessionReplySchema },
      errors: JSON_ERRORS,
      handle: start(deps),
      storedOf: withoutAccessKey,
      complete: withAccessKey(deps),
    }),
    route({
      ...common,
      id: 'authenticateChip',
      path: '/nfc-sessions/{sessionId}/chip-authentication',
      summary: 'Begin chip authentication: a key of the server, and the command only it can protect',
      body: { kind: 'json', schema: ChipAuthenticationRequestSchema, limit: CHIP_DATA_BYTES },
      reply: { description: 'What the reader sends to the chip', schema: ChipAuthenticationReplySchema },
      errors: JSON_ERRORS,
      handle: (call) => {
        const sessionId = param(call, 'sessionId');
        return liveCapture.step(call, sessionId, (claims) => intake.authenticateChip(claims, sessionId, call.body));
      },
    }),
    route({
      ...common,
      id: 'submitChip',
      path: '/nfc-sessions/{sessionId}/data',
      summary: 'Submit what was read of the chip, once',
      body: {
        kind: 'json',
        schema: ChipDataRequestSchema,
        nullIsAbsent: true,
        limit: CHIP_DATA_BYTES,
        isPassedOn: true,
      },
      reply: { description: 'Submitted; poll its status', schema: SubmissionReplySchema },
      errors: JSON_ERRORS,
      handle: (call) => {
        const sessionId = param(call, 'sessionId');
        return liveCapture.submit(call, sessionId, (claims) =>
          intake.submitChip(claims, sessionId, sentJsonOf(call.request)),
        );
      },
    }),
  ];
};
