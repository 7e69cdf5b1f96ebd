import type { CallOptions, Connection, ReplyOf } from './connection.ts';
import { AssayTimeout } from './refusal.ts';
import { pause } from './retry.ts';

export interface WaitOptions extends Pick<CallOptions, 'signal'> {
  /** Longest wait in milliseconds; a minute by default. */
  patienceMs?: number;
}

type EvidenceStatus = ReplyOf<'getEvidenceStatus'>;
type IdentityStatus = ReplyOf<'getIdentityStatus'>;

const STABLE: readonly string[] = ['VERIFIED', 'NOT_VERIFIED', 'INVALID'];
const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 1000;
const PATIENCE_MS = 60_000;

/**
 * EXPECTED_INPUT is another spelling of EXPECTING_INPUT in the specification's notifications; this
 * client gives the one.
 */
export const canonicalStatus = <S extends string>(status: S): S | 'EXPECTING_INPUT' =>
  status === 'EXPECTED_INPUT' ? 'EXPECTING_INPUT' : status;

/** Asks again until the answer is what is waited for. @throws AssayTimeout with the last answer */
const waitUntil = async <T>(
  what: string,
  ask: () => Promise<T>,
  isThere: (answer: T) => boolean,
  { patienceMs = PATIENCE_MS, signal }: WaitOptions,
): Promise<T> => {
  const deadline = Date.now() + patienceMs;
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 1.3, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    if (Date.now() > deadline) throw new AssayTimeout(`${what} after ${patienceMs} ms`, answer);
    await pause(ms, signal);
  }
};

/** The calls that read what the service made of it. */
export const reading = ({ call, answer }: Connection) => {
  const evidenceStatus = (identityId: string, evidenceId: string, more?: CallOptions): Promise<EvidenceStatus> =>
    call('getEvidenceStatus', { path: { identityId, evidenceId } }, more);

  const identityStatus = async (identityId: string, more?: CallOptions): Promise<IdentityStatus> => {
    const reply = await call('getIdentityStatus', { path: { identityId } }, more);
    const { globalStatus } = reply;
    return { ...reply, globalStatus: { ...globalStatus, status: canonicalStatus(globalStatus.status) } };
  };

  return {
    /** Status of one evidence (endpoint 7). */
    evidenceStatus,

    /** Status of the identity and of each evidence. */
    identityStatus,

    /**
     * Waits until the evidence is VERIFIED, NOT_VERIFIED or INVALID. One in ADJUDICATION waits for
     * a person: give it patience.
     */
    waitForEvidence: (identityId: string, evidenceId: string, options: WaitOptions = {}): Promise<EvidenceStatus> =>
      waitUntil(
        `evidence ${evidenceId} is still being verified`,
        () => evidenceStatus(identityId, evidenceId, options.signal ? { signal: options.signal } : {}),
        ({ status }) => STABLE.includes(status),
        options,
      ),

    /** Waits until nothing of the identity is being verified: from then on its proof can be had. */
    waitForIdentity: (identityId: string, options: WaitOptions = {}): Promise<IdentityStatus> =>
      waitUntil(
        `identity ${identityId} is still PROCESSING`,
        () => identityStatus(identityId, options.signal ? { signal: options.signal } : {}),
        ({ globalStatus }) => globalStatus.status !== 'PROCESSING',
        options,
      ),

    /** The identity (endpoint 8). */
    identity: (identityId: string, more?: CallOptions): Promise<ReplyOf<'getIdentity'>> =>
      call('getIdentity', { path: { identityId } }, more),

    /**
     * The proof (endpoint 9): the bytes of the MIME envelope as they arrived. This closes the
     * identity.
     */
    proof: async (identityId: string, more?: CallOptions): Promise<{ bytes: Uint8Array; contentType: string }> => {
      const { data, headers } = await answer('getProof', { path: { identityId } }, more);
      return { bytes: new Uint8Array(data as ArrayBuffer), contentType: String(headers['content-type']) };
    },
  };
};
