import type { Certificate } from '../certificates/certificate.ts';
import { type SignatureCheck, verifySigner } from '../cms/verify-signer.ts';
import { hash } from '../keys/digests.ts';
import type { LdsObject, SecurityObject } from '../lds/security-object.ts';
import { LIMITS } from '../limits.ts';
import type { TrustStore } from '../trust/store.ts';
import { checkDocumentSigner, type SignerCheck, type SigningTime, signingTimeOf } from './document-signer.ts';
import type { CheckState } from './states.ts';

/** What the LDS object says of one data group that was sent. */
export type DataGroupState = 'OK' | 'HASH_DIFFERS' | 'NOT_LISTED';

/** What passive authentication needs to know of the document, from its data groups. */
export interface PassiveQuestion {
  readonly securityObject: SecurityObject;
  readonly issuingState: string | undefined;
  readonly documentCode?: string | undefined;
  readonly dateOfIssue: string | undefined;
  readonly trust: TrustStore;
  readonly now: Date;
}

/** The result of passive authentication, check by check. */
export interface PassiveAuthentication {
  readonly signature: { readonly state: CheckState; readonly reason?: string };
  readonly signer: SignerCheck;
  readonly certificate?: Certificate;
  readonly signed?: SigningTime;
}

/**
 * Compares every data group with its hash: over the whole file as it was sent, with tag and length.
 */
export const compareHashes = (
  { digest, hashes }: LdsObject,
  dataGroups: ReadonlyMap<number, Uint8Array>,
): Map<number, DataGroupState> =>
  new Map(
    [...dataGroups].map(([number, bytes]) => {
      const expected = hashes.get(number);
      if (expected === undefined) return [number, 'NOT_LISTED'];
      return [number, expected.equals(hash(digest, bytes)) ? 'OK' : 'HASH_DIFFERS'];
    }),
  );

const assess = (question: PassiveQuestion, check: SignatureCheck): PassiveAuthentication => {
  const { securityObject, issuingState, documentCode, dateOfIssue, trust, now } = question;
  if (check.state !== 'RIGHT') {
    const state = check.state === 'WRONG' ? 'FAILED' : 'UNVERIFIED';
    return {
      signature: { state, reason: check.reason },
      signer: { state: 'UNVERIFIED', reason: 'NO_SIGNATURE_CHECKED' },
    };
  }
  const { certificate, signingTime } = check;
  const signed = signingTimeOf(signingTime, dateOfIssue, now);
  const others = securityObject.signedData.certificates.filter(({ sha256 }) => sha256 !== certificate.sha256);
  const signer = checkDocumentSigner({ signer: certificate, others, trust, issuingState, documentCode, signed });
  return { signature: { state: 'OK' }, signer, certificate, signed };
};

const RANK: Readonly<Record<CheckState, number>> = { OK: 0, WARNING: 1, UNVERIFIED: 1, FAILED: 2 };

const better = (a: PassiveAuthentication, b: PassiveAuthentication): number =>
  RANK[a.signature.state] - RANK[b.signature.state] || RANK[a.signer.state] - RANK[b.signer.state];

/**
 * Checks the signatures of the security object. If it has several, the best one counts, since each
 * is over the same content.
 */
export const authenticatePassively = (question: PassiveQuestion): PassiveAuthentication => {
  const { signedData } = question.securityObject;
  const certificates = [...signedData.certificates, ...question.trust.signers];
  const checks = signedData.signers.map((signer) => verifySigner(signedData, signer, certificates));
  const right = checks.filter(({ state }) => state === 'RIGHT').slice(0, LIMITS.chainsBuilt);
  const assessed = (right.length > 0 ? right : checks).map((check) => assess(question, check));
  return (
    assessed.toSorted(better)[0] ?? assess(question, { state: 'WRONG', reason: 'nobody signed the security object' })
  );
};

/** The three checks as one: FAILED if one failed, OK if all are OK. */
export const inOne = (states: readonly CheckState[]): CheckState => {
  if (states.includes('FAILED')) return 'FAILED';
  return states.every((state) => state === 'OK') ? 'OK' : 'UNVERIFIED';
};
