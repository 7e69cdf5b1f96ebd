import { randomBytes } from 'node:crypto';
import { attempt, beginWithChipKey } from '@assay/chip';
import {
  type ChipAuthenticationReply,
  type ChipDataRequest,
  consentInForce,
  declaredTypeOf,
  type InternalClaims,
  type NfcSessionRequest,
  present,
  todayAt,
} from '@assay/contracts';
import { ApiError, unavailable } from '@assay/http';
import type { Outbox } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import { openJson, sealingContext, sealJson } from '@assay/sealing';
import type { Images } from '../clients/images.ts';
import { gaveUp, whyRefused } from '../domain/chip-files.ts';
import { mediaIn, referenceOf } from '../domain/medium.ts';
import type { Evidence, EvidenceStore, SessionEnding } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import { type AcceptSubmission, grantOf } from './accept-submission.ts';
import { type ChipExchange, storeChipData, submissionOf } from './chip-submission.ts';
import type { MediaStorage } from './media-storage.ts';
import { submittedEvent } from './submitted-event.ts';

export interface Deps {
  evidences: EvidenceStore;
  media: MediaStore;
  storage: Pick<MediaStorage, 'discard'>;
  images: Pick<Images, 'chipKey'>;
  accept: AcceptSubmission;
  outbox: Pick<Outbox, 'publishSoon'>;
  now: Clock;
  reconcileAfterMs: number;
  orphanAfterMs: number;
}

const DEFAULT_TIMEOUT_SECONDS = 300;
const CHALLENGE_BYTES = 8;
const PURPOSE = 'chip-session';

const closed = () => new ApiError('STATE_CONFLICT', { message: 'the session is not open any more' });

const isPortraitStored = (claims: InternalClaims, evidence: Evidence, at: Date): boolean =>
  consentInForce(claims.consents ?? evidence.consents, 'PORTRAIT', todayAt(at));

/** What the identity's key seals of a session, and what it opens. */
const openSealing = (claims: InternalClaims, evidence: Pick<Evidence, '_id' | 'operation'>) => {
  const { key, tenantId, identityId } = grantOf({ ...claims, evidenceId: evidence._id, operation: evidence.operation });
  const context = (purpose: string) => sealingContext(tenantId, identityId, purpose);
  return {
    key,
    seal: (purpose: string, value: unknown) => sealJson(key, context(purpose), value),
    exchangeOf: ({ session }: Evidence): ChipExchange => {
      if (!session?.sealedChip) throw closed();
      return openJson<ChipExchange>(key, context(PURPOSE), session.sealedChip);
    },
  };
};

const requireOpen = ({ session }: Evidence, now: Date): void => {
  if (session?.state !== 'OPEN' || (session.expiresAt && session.expiresAt <= now)) throw closed();
};

/** Opens a session: the challenge is drawn, and nothing was submitted yet. */
const createStart =
  (deps: Deps) =>
  async (claims: InternalClaims, request: NfcSessionRequest): Promise<Evidence> => {
    const { evidenceId, operation } = grantOf(claims);
    const { seal } = openSealing(claims, { _id: evidenceId, operation });
    const seconds = claims.sessionTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
    const exchange: ChipExchange = { challenge: randomBytes(CHALLENGE_BYTES).toString('base64') };
    const session = {
      sessionId: newId(),
      request: { ...request, kind: 'CHIP' as const },
      sealedChip: seal(PURPOSE, exchange),
      keepVideo: false,
      state: 'OPEN' as const,
      batches: [],
      expiresAt: new Date(deps.now().getTime() + seconds * 1000),
    };
    const type = declaredTypeOf(request.idDocumentType) ?? 'ID_DOCUMENT';
    return deps.accept(claims, { type, media: [], content: { chip: { challenge: exchange.challenge } }, session });
  };

/** What a call was answered that began chip authentication last. */
const begunWith = ({ authentication, begunBy }: ChipExchange, call: string): ChipAuthenticationReply | undefined => {
  if (!authentication || begunBy !== call) return undefined;
  const { state: _secret, ...reply } = authentication;
  return reply;
};

/**
 * The key was replaced meanwhile: the same call gets what its other attempt is answered. Another
 * one that is late replaces nothing, for the reader may have the newer key.
 */
const createOvertaken =
  ({ evidences }: Pick<Deps, 'evidences'>) =>
  async (claims: InternalClaims, { session, identityId }: Evidence, call: string): Promise<ChipAuthenticationReply> => {
    const current = session && (await evidences.findSession(session.sessionId, identityId));
    if (current?.session?.state !== 'OPEN') throw closed();
    const same = begunWith(openSealing(claims, current).exchangeOf(current), call);
    if (!same) throw unavailable();
    return same;
  };

/**
 * Generates the server's key for the curve of the chip. If another call begins it again, the former
 * key is replaced.
 */
const createAuthenticate = (deps: Deps) => {
  const overtaken = createOvertaken(deps);
  return async (claims: InternalClaims, evidence: Evidence, dataGroup14: Buffer): Promise<ChipAuthenticationReply> => {
    requireOpen(evidence, deps.now());
    const { seal, exchangeOf } = openSealing(claims, evidence);
    const { batchId: call = newId() } = claims;
    const before = exchangeOf(evidence);
    const same = begunWith(before, call);
    if (same) return same;
    const refused = (message: string) => new ApiError('BAD_FIELD', { field: 'dataGroup14', message });
    const read = await deps.images.chipKey(dataGroup14);
    if ('refused' in read) throw refused(read.refused);
    const begun = attempt(() => beginWithChipKey(read));
    if (begun.error) throw refused(begun.error.message);
    const { protocol, keyId, terminalPublicKey, command, state } = begun.value;
    const reply = {
      protocol,
      ...present({ keyId }),
      terminalPublicKey: terminalPublicKey.toString('base64'),
      command: command.toString('base64'),
    };
    const exchange: ChipExchange = { ...before, authentication: { ...reply, state }, begunBy: call };
    const former = evidence.session?.sealedChip ?? '';
    const isStored = await deps.evidences.storeChip(evidence._id, seal(PURPOSE, exchange), former);
    return isStored ? reply : overtaken(claims, evidence, call);
  };
};

const createEnd =
  (deps: Deps) => async (claims: InternalClaims, evidence: Evidence, request: ChipDataRequest, broughtBy: string) => {
    const { evidences, storage, outbox, now, reconcileAfterMs } = deps;
    const { key, seal, exchangeOf } = openSealing(claims, evidence);
    const exchange = exchangeOf(evidence);
    const at = now();
    const portraitStays = isPortraitStored(claims, evidence, at);
    const stored = await storeChipData(deps, { key, evidence, exchange, request, portraitStays });
    const { attached, unattached } = stored;
    const chip = submissionOf(evidence, exchange, request, stored);
    const sealedSubmission = seal('submission', { chip });
    const consents = claims.consents ?? evidence.consents;
    // Crops are none of the evidence's media: its evaluation names them.
    const media = mediaIn(attached)
      .filter(({ role }) => role === 'CHIP')
      .map(referenceOf);
    const submitted: Evidence = { ...evidence, consents, media, sealedSubmission };
    const ending: SessionEnding = {
      state: 'ENDED',
      media,
      event: submittedEvent(submitted, at),
      reissueAt: new Date(at.getTime() + reconcileAfterMs),
      chip: { sealedSubmission, broughtBy, unattached: unattached.map(({ _id }) => _id) },
    };
    if (!(await evidences.endSession(evidence._id, ending))) {
      await storage.discard([attached, ...unattached]);
      throw closed();
    }
    void outbox.publishSoon(evidence._id, [ending.event]);
    // The sweep of orphans finds out that it is attached, for many at once.
    return submitted;
  };

/**
 * Submits what the reader brought, once. The same call again gets the first answer, another one
 * 409.
 */
const createSubmit = (deps: Deps) => {
  const end = createEnd(deps);
  return async (claims: InternalClaims, evidence: Evidence, request: ChipDataRequest): Promise<Evidence> => {
    const { batchId = newId() } = claims;
    if (evidence.session?.broughtBy === batchId) return evidence;
    requireOpen(evidence, deps.now());
    const refused = gaveUp(request) ? undefined : whyRefused(request);
    if (refused) throw new ApiError('BAD_FIELD', refused);
    return end(claims, evidence, request, batchId);
  };
};

/**
 * Sessions in which the chip of a document is read: an evidence from the start, submitted when the
 * reader brings the files.
 */
export const createChipSessions = (deps: Deps) => ({
  start: createStart(deps),
  authenticate: createAuthenticate(deps),
  submit: createSubmit(deps),
  /** The challenge of a session that was begun; undefined once it has ended. */
  challengeOf: async (claims: InternalClaims, evidence: Evidence): Promise<string | undefined> =>
    evidence.session?.sealedChip ? openSealing(claims, evidence).exchangeOf(evidence).challenge : undefined,
});
export type ChipSessions = ReturnType<typeof createChipSessions>;
