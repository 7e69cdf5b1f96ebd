import type {
  CaptureDetails,
  Consent,
  ConsentRequest,
  DocumentText,
  ErrorObject,
  EvidenceStatusReply,
  HealthCard,
  Identity,
  IdentityCreated,
  IdentityStatusReply,
  Problem,
  SubmissionReply,
} from '@assay/contracts';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';

/** The service refused a call, or failed: its status and the specification's error objects. */
export class AssayRefusal extends Error {
  override name = 'AssayRefusal';
  readonly status: number;
  readonly errors: ErrorObject[];
  constructor(status: number, errors: ErrorObject[]) {
    super(errors[0]?.message ?? `the service answered ${status}`);
    this.status = status;
    this.errors = errors;
  }
}

export interface AssayClientOptions {
  baseUrl: string;
  /** The fixed first path segment; `svc` unless told. */
  apiPrefix?: string;
  apiKey: string;
  timeoutMs?: number;
}

export interface DocumentImages {
  front: Buffer;
  back?: Buffer;
  details?: CaptureDetails;
}

/** Key and value pairs of a creation (decisions, Creation request): BUSINESS_ID, CORRELATION_ID, PREVIOUS_PROOF_ID. */
export type CreationContext = { key: string; value: string }[];

const STABLE = ['VERIFIED', 'NOT_VERIFIED', 'INVALID'];
const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 1000;

/** EXPECTED_INPUT is another spelling of EXPECTING_INPUT in the specification's notifications; this client gives the one. */
export const canonicalStatus = <S extends string>(status: S): S | 'EXPECTING_INPUT' =>
  status === 'EXPECTED_INPUT' ? 'EXPECTING_INPUT' : status;

const refusalOf = ({ status, data }: AxiosResponse): AssayRefusal => {
  const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
  const problem = ((): Partial<Problem> => {
    if (!Buffer.isBuffer(data)) return (data ?? {}) as Partial<Problem>;
    try {
      return JSON.parse(text) as Partial<Problem>;
    } catch {
      return {};
    }
  })();
  return new AssayRefusal(status, problem.errors ?? []);
};

const blob = (bytes: Buffer): Blob => new Blob([new Uint8Array(bytes)]);

export type AssayClient = ReturnType<typeof createAssayClient>;

/** The service's API with one API key. Calls reject with AssayRefusal when they are refused. */
export const createAssayClient = ({ baseUrl, apiPrefix = 'svc', apiKey, timeoutMs = 30_000 }: AssayClientOptions) => {
  const http: AxiosInstance = axios.create({
    baseURL: `${baseUrl.replace(/\/$/, '')}/${apiPrefix}/v1/identities`,
    headers: { apikey: apiKey },
    timeout: timeoutMs,
    proxy: false,
    maxRedirects: 0,
    validateStatus: () => true,
  });
  const answered = async <T>(response: Promise<AxiosResponse>): Promise<T> => {
    const answer = await response;
    if (answer.status >= 400) throw refusalOf(answer);
    return answer.data as T;
  };
  const at = (identityId: string, path = ''): string => `/${encodeURIComponent(identityId)}${path}`;

  const evidenceStatus = (identityId: string, evidenceId: string): Promise<EvidenceStatusReply> =>
    answered(http.get(at(identityId, `/status/${encodeURIComponent(evidenceId)}`)));

  return {
    /** Creates an identity (endpoint 1). */
    createIdentity: (context: CreationContext = []): Promise<IdentityCreated> => {
      const form = new FormData();
      form.append('context', new Blob([JSON.stringify(context)], { type: 'application/json' }));
      return answered(http.post('', form));
    },

    /** Records consents (endpoint 2). */
    submitConsents: (identityId: string, consents: ConsentRequest[]): Promise<Consent[]> =>
      answered(http.post(at(identityId, '/consents'), consents)),

    deleteConsent: (identityId: string, consentId: string): Promise<void> =>
      answered(http.delete(at(identityId, `/consents/${encodeURIComponent(consentId)}`))),

    /** Submits document images (endpoint 3). */
    submitDocument: (identityId: string, { front, back, details }: DocumentImages): Promise<SubmissionReply> => {
      const form = new FormData();
      if (details)
        form.append('DocumentCaptureDetails', new Blob([JSON.stringify(details)], { type: 'application/json' }));
      form.append('DocumentFront', blob(front), 'front');
      if (back) form.append('DocumentBack', blob(back), 'back');
      return answered(http.post(at(identityId, '/id-documents/capture'), form));
    },

    /** Submits document data as text (endpoint 4). */
    submitDocumentText: (identityId: string, document: DocumentText): Promise<SubmissionReply> =>
      answered(http.post(at(identityId, '/id-documents'), document)),

    /** Submits an Australian health-card record (endpoint 5). */
    submitHealthCard: (identityId: string, card: HealthCard): Promise<SubmissionReply> =>
      answered(http.post(at(identityId, '/id-document/aus/medicare'), card)),

    /** Submits a portrait (endpoint 6). */
    submitPortrait: (identityId: string, portrait: Buffer): Promise<SubmissionReply> => {
      const form = new FormData();
      form.append('Portrait', blob(portrait), 'portrait');
      return answered(http.post(at(identityId, '/attributes/portrait/capture'), form));
    },

    /** Status of one evidence (endpoint 7). */
    evidenceStatus,

    /** Polls until the evidence is VERIFIED, NOT_VERIFIED or INVALID; gives the last answer when that takes longer than `patienceMs`. */
    waitForStable: async (
      identityId: string,
      evidenceId: string,
      patienceMs = 60_000,
    ): Promise<EvidenceStatusReply> => {
      const deadline = Date.now() + patienceMs;
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
        const reply = await evidenceStatus(identityId, evidenceId);
        if (STABLE.includes(reply.status) || Date.now() > deadline) return reply;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },

    deleteEvidence: (identityId: string, evidenceId: string): Promise<void> =>
      answered(http.delete(at(identityId, `/evidences/${encodeURIComponent(evidenceId)}`))),

    /** Status of the identity and of each evidence. */
    identityStatus: async (identityId: string): Promise<IdentityStatusReply> => {
      const reply = await answered<IdentityStatusReply>(http.get(at(identityId, '/status')));
      return { ...reply, globalStatus: canonicalStatus(reply.globalStatus) };
    },

    /** The identity (endpoint 8). */
    identity: (identityId: string): Promise<Identity> => answered(http.get(at(identityId))),

    deleteIdentity: (identityId: string): Promise<void> => answered(http.delete(at(identityId))),

    resume: (identityId: string): Promise<unknown> => answered(http.post(at(identityId, '/resume'))),

    /** The proof (endpoint 9): the bytes of the MIME envelope as they arrived. This closes the identity. */
    proof: async (identityId: string): Promise<{ bytes: Buffer; contentType: string }> => {
      const answer = await http.get(at(identityId, '/proof'), { responseType: 'arraybuffer' });
      if (answer.status >= 400) throw refusalOf(answer);
      return { bytes: Buffer.from(answer.data as ArrayBuffer), contentType: String(answer.headers['content-type']) };
    },
  };
};
