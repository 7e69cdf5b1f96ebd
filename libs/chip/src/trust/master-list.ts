import { refusalOf } from '../certificates/authority.ts';
import { type Certificate, certificateOf, signatureBy } from '../certificates/certificate.ts';
import { type SignedData, signedDataOf } from '../cms/signed-data.ts';
import { type SignatureCheck, verifySigner } from '../cms/verify-signer.ts';
import { type Element, readDer } from '../der/read.ts';
import { TRUST_FILE } from '../der/read-limits.ts';
import { expectTag, smallInteger } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { attempt, ChipError, malformed } from '../errors.ts';

/** ICAO's master list: certificates of many countries under one signature. */
export interface MasterList {
  readonly certificates: readonly Certificate[];
  /** Certificates in the list that we cannot read. */
  readonly unreadable: number;
  readonly signer: Certificate;
  /**
   * The authority that certified the signer: in the list, beside it, or among those already
   * trusted.
   */
  readonly authority: Certificate;
  readonly signedAt?: Date;
}

const MASTER_LIST = '2.23.136.1.1.2';
const LIST_SIGNING = '2.23.136.1.1.3';

const listOf = (content: Uint8Array): readonly Element[] => {
  const list = expectTag(readDer(content, TRUST_FILE), TAG.sequence, 'a master list');
  if (smallInteger(list.children[0], 'the version of a master list') !== 0)
    throw malformed('a master list has a version other than 0');
  return expectTag(list.children[1], TAG.set, 'the certificates of a master list').children;
};

/**
 * Finds the authority by country and signature: key identifiers may be wrong, and authorities of
 * the first passports do not say that they are authorities.
 */
const authorityOf = (signer: Certificate, candidates: readonly Certificate[]): Certificate | undefined =>
  candidates.find(
    (candidate) =>
      candidate.sha256 !== signer.sha256 &&
      candidate.subject.country === (signer.subject.country ?? signer.issuer.country) &&
      signatureBy(signer.signed, candidate) === 'RIGHT' &&
      refusalOf(candidate) === undefined,
  );

const DAY = 24 * 60 * 60 * 1000;

/** Why a certificate may not have signed the list at this time; undefined if it may. */
const faultOfSigner = ({ purposes, keyUsage, notBefore, notAfter }: Certificate, signedAt: Date) => {
  if (!purposes?.includes(LIST_SIGNING) || keyUsage?.signs === false)
    return 'the signer of the master list may not sign lists';
  const at = signedAt.getTime();
  if (at < notBefore.getTime() - DAY || at > notAfter.getTime() + DAY)
    return 'the signer of the master list was not valid when it signed';
  return undefined;
};

const wrong = (message: string): ChipError => new ChipError('SIGNATURE_WRONG', message);

const signedListOf = (bytes: Uint8Array): SignedData => {
  const { value, error } = attempt(() => signedDataOf(readDer(bytes, TRUST_FILE)));
  if (error) throw new ChipError(error.code, `a signed object is no master list: ${error.message}`);
  if (value.contentType !== MASTER_LIST) throw malformed('a signed object is no master list');
  return value;
};

/**
 * The signer and its authority, if this signature of the list counts; throws SIGNATURE_WRONG if
 * not.
 */
const vouched = (check: SignatureCheck, candidates: readonly Certificate[], now: Date) => {
  if (check.state === 'UNSUPPORTED')
    throw wrong(`the signature of the master list cannot be verified: ${check.reason}`);
  if (check.state !== 'RIGHT') throw wrong('the signature of the master list is wrong');
  const { certificate: signer, signingTime } = check;
  const fault = faultOfSigner(signer, signingTime ?? now);
  if (fault) throw wrong(fault);
  const authority = authorityOf(signer, candidates);
  if (authority === undefined) throw wrong('no known authority certified the signer of the master list');
  return { signer, authority, ...(signingTime ? { signedAt: signingTime } : {}) };
};

const isRight = ({ state }: SignatureCheck): boolean => state === 'RIGHT';

const NOBODY: SignatureCheck = { state: 'WRONG', reason: 'nobody signed the master list' };

/**
 * Reads a master list. It checks the list's signature, that its signer may sign lists and was valid
 * at the signing time (a list that states none counts as signed now), and that an authority of the
 * signer's country certified it. If the list has several signatures, one of them suffices. Throws
 * SIGNATURE_WRONG if none does: the whole list is then refused.
 */
export const readMasterList = (bytes: Uint8Array, now: Date, trusted: readonly Certificate[] = []): MasterList => {
  const data = signedListOf(bytes);
  const entries = listOf(data.content).map((element) => attempt(() => certificateOf(element)).value);
  const certificates = entries.filter((entry) => entry !== undefined);
  const candidates = [...trusted, ...data.certificates, ...certificates];
  const checks = data.signers.map((signer) => verifySigner(data, signer, data.certificates));
  // The reason why a right signature does not count says more than that another is wrong.
  const rightFirst = [...checks, NOBODY].toSorted((a, b) => Number(isRight(b)) - Number(isRight(a)));
  const results = rightFirst.map((check) => attempt(() => vouched(check, candidates, now)));
  const found = results.find(({ value }) => value)?.value;
  if (found === undefined) throw results[0]!.error!;
  return { certificates, unreadable: entries.length - certificates.length, ...found };
};
