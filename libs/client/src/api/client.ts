import { type AssayClientOptions, type CallOptions, connect, type Input, type ReplyOf } from './connection.ts';
import { reading } from './reading.ts';
import { submissions } from './submissions.ts';

/**
 * Key and value pairs of a creation (specification, Creation request): BUSINESS_ID, CORRELATION_ID,
 * PREVIOUS_PROOF_ID.
 */
export type CreationContext = { key: string; value: string }[];

export type AssayClient = ReturnType<typeof createAssayClient>;

/**
 * The service's API with one API key. Calls reject with AssayRefusal when they are refused and with
 * AssayUnreachable when nobody answers. `call` does anything the API can, by its operationId; the
 * others are the calls of the typical flow.
 */
export const createAssayClient = (options: AssayClientOptions & { apiKey: string }) => {
  const connection = connect(options);
  const { call } = connection;
  return {
    call,
    ...submissions(connection),
    ...reading(connection),

    /** Creates an identity (endpoint 1). */
    createIdentity: (context: CreationContext = [], more?: CallOptions): Promise<ReplyOf<'createIdentity'>> =>
      call('createIdentity', { body: { context } }, more),

    deleteIdentity: (identityId: string, more?: CallOptions) => call('deleteIdentity', { path: { identityId } }, more),
    resume: (identityId: string, more?: CallOptions) => call('resumeIdentity', { path: { identityId } }, more),

    /** A link to the capture page, for one device and this identity. */
    createLink: (identityId: string, body: Input<'createUserAgentSession'>['body'] = {}, more?: CallOptions) =>
      call('createUserAgentSession', { path: { identityId }, body }, more),

    /** Of a sandbox tenant: what the next submission of its kind comes to. */
    armSandbox: (identityId: string, body: Input<'armSandboxOutcome'>['body'], more?: CallOptions) =>
      call('armSandboxOutcome', { path: { identityId }, body }, more),
  };
};
