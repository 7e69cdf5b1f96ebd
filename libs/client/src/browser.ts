/**
 * What the token of a user-agent session may do, for pages of the client's own: nothing here needs
 * Node, nor an API key.
 */
import { type AssayClientOptions, type CallOptions, connect, type ReplyOf } from './api/connection.ts';
import { reading } from './api/reading.ts';
import { submissions } from './api/submissions.ts';

export type { CallOptions } from './api/connection.ts';
export type { WaitOptions } from './api/reading.ts';
export { AssayRefusal, AssayTimeout, AssayUnreachable, type RefusalError } from './api/refusal.ts';

export interface CaptureClientOptions extends Omit<AssayClientOptions, 'apiKey' | 'sessionToken'> {
  /** The token of the session: what is behind `#` in its address. */
  token: string;
}

export type CaptureClient = ReturnType<typeof createCaptureClient>;

/**
 * The calls of one user-agent session. The page's origin has to be one of the tenant's
 * `allowedOrigins`.
 */
export const createCaptureClient = ({ token, ...options }: CaptureClientOptions) => {
  const connection = connect({ ...options, sessionToken: token });
  const { call } = connection;
  const { deleteEvidence: _deleteEvidence, ...submitting } = submissions(connection);
  const { proof: _proof, ...readable } = reading(connection);
  return {
    ...submitting,
    ...readable,

    /** The session: its identity, steps, language, and when it ends. */
    session: (more?: CallOptions): Promise<ReplyOf<'getUserAgentSession'>> => call('getUserAgentSession', {}, more),

    /** A fresh address for another device; this one is refused once that one opened it. */
    handOver: (identityId: string, more?: CallOptions) =>
      call('handOverUserAgentSession', { path: { identityId } }, more),

    /** How far the handover has come, asked by the device that handed over. */
    handover: (more?: CallOptions): Promise<ReplyOf<'getHandover'>> => call('getHandover', {}, more),

    /** This device goes on in place of the one it handed over to, whose token ends. */
    takeBack: (more?: CallOptions): Promise<ReplyOf<'takeBackUserAgentSession'>> =>
      call('takeBackUserAgentSession', {}, more),

    /** Says that the person has been through all steps, to the device that handed over. */
    finish: (more?: CallOptions) => call('finishUserAgentSession', {}, more),
  };
};
