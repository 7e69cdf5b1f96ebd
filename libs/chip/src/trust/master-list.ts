import { refusalOf } from '../certificates/authority.ts';
import { type Certificate, certificateOf, signatureBy } from '../certificates/certificate.ts';
import { signedDataOf } from '../cms/signed-data.ts';
import { verifySigner } from '../cms/verify-signer.ts';
import { type Element, readDer, TRUST_FILE } from '../der/read.ts';
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

/** Why a certificate may not have signed the list; undefined if it may. */
const faultOfSigner = ({ purposes, keyUsage, notBefore, notAfter }: Certificate, signedAt?: Date) => {
  if (!purposes?.includes(LIST_SIGNING) || keyUsage?.signs === false)
    return 'the signer of the master list may not sign lists';
  const at = signedAt?.getTime();
  if (at !== undefined && (at < notBefore.getTime() - DAY || at > notAfter.getTime() + DAY))
    return 'the signer of the master list was not valid when it signed';
  return undefined;
};

const wrong = (message: string): ChipError => new ChipError('SIGNATURE_WRONG', message);

/** Whether this is the signature of a master list: a CMS whose content is one. */
export const isMasterList = (info: Element): boolean =>
  attempt(() => signedDataOf(info)).value?.contentType === MASTER_LIST;

/**
 * Reads a master list. It checks the list's signature, that its signer may sign lists and was valid
 * at the signing time, and that an authority of the signer's country certified it. Throws
 * SIGNATURE_WRONG if one of these fails: the whole list is then refused.
 */
export const readMasterList = (bytes: Uint8Array, trusted: readonly Certificate[] = []): MasterList => {
  const data = signedDataOf(readDer(bytes, TRUST_FILE));
  if (data.contentType !== MASTER_LIST) throw malformed('a signed object is no master list');
  const entries = listOf(data.content).map((element) => attempt(() => certificateOf(element)).value);
  const certificates = entries.filter((entry) => entry !== undefined);
  const checks = data.signers.map((signer) => verifySigner(data, signer, data.certificates));
  const check = checks.find(({ state }) => state === 'RIGHT');
  if (check?.state !== 'RIGHT') throw wrong('the signature of the master list is wrong');
  const signer = check.certificate;
  const fault = faultOfSigner(signer, check.signingTime);
  if (fault) throw wrong(fault);
  const authority = authorityOf(signer, [...trusted, ...data.certificates, ...certificates]);
  if (authority === undefined) throw wrong('no known authority certified the signer of the master list');
  return {
    certificates,
    unreadable: entries.length - certificates.length,
    signer,
    authority,
    ...(check.signingTime ? { signedAt: check.signingTime } : {}),
  };
};
