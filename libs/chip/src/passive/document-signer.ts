import { type Certificate, isSelfSigned } from '../certificates/certificate.ts';
import type { TrustedCertificate, TrustStore } from '../trust/store.ts';
import { buildChain, type Chain } from './chain.ts';
import { certificateCountryOf, isOrganisation } from './countries.ts';
import type { CheckState } from './states.ts';

/** The time at which a document was signed, and the source of that time. */
export interface SigningTime {
  readonly at: Date;
  readonly from: 'SIGNING_TIME' | 'DATE_OF_ISSUE' | 'NOW';
}

/** What the check of a document signer needs. */
export interface SignerQuestion {
  readonly signer: Certificate;
  readonly others: readonly Certificate[];
  readonly trust: TrustStore;
  readonly issuingState: string | undefined;
  readonly documentCode: string | undefined;
  readonly signed: SigningTime;
}

/** The result of the check. */
export interface SignerCheck {
  readonly state: CheckState;
  readonly reason?: SignerProblem;
  readonly anchor?: TrustedCertificate;
  readonly path?: readonly Certificate[];
}

/** Why a signer was not accepted. */
export type SignerProblem =
  | 'AUTHORITY_UNKNOWN'
  | 'AUTHORITY_NOT_YET_VALID'
  | 'CHAIN_SIGNATURE_WRONG'
  | 'OTHER_COUNTRY'
  | 'ISSUING_STATE_UNKNOWN'
  | 'REVOKED'
  | 'MADE_FOR_ANOTHER_PURPOSE'
  | 'MADE_FOR_OTHER_DOCUMENTS'
  | 'NOT_VALID_WHEN_SIGNED'
  | 'NO_SIGNATURE_CHECKED';

const ICAO_SECURITY = '2.23.136.1.1.';
const TLS = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];

/**
 * An authority also issues certificates for master lists, deviation lists, bar codes, travel
 * records, servers and clients: these state their purpose (9303-12, 7.1.1.3). A document signer
 * states none. Some document signers state a purpose that is none of these, which does no harm.
 */
const isForAnother = ({ purposes = [] }: Certificate): boolean =>
  purposes.length > 0 && purposes.every((purpose) => purpose.startsWith(ICAO_SECURITY) || TLS.includes(purpose));

/**
 * Passports, cards and visas, by the first letter of their code: a card has A, C or I (9303-5,
 * 9303-6).
 */
const kindOf = (code: string): string => code.charAt(0).replace(/[AC]/, 'I');

/**
 * A signer may state which documents it signs (9303-12, 7.1.1.6). Only the first letter is
 * compared: the issuer chooses the second letter of a code, and adds subtypes to it.
 */
const isForOthers = ({ documentTypes = [] }: Certificate, documentCode: string | undefined): boolean =>
  documentCode !== undefined &&
  documentTypes.length > 0 &&
  documentTypes.every((type) => kindOf(type) !== kindOf(documentCode));

/**
 * An authority's own key signs no document, nor does a key whose certificate allows only other uses
 * than signatures (9303-12, 7.1.1). Some issuers leave the use out.
 */
const isNoSigner = ({ keyBits, keyUsage, isAuthority = false }: Certificate, anchor: Certificate): boolean =>
  keyBits.equals(anchor.keyBits) || ((isAuthority || keyUsage !== undefined) && !keyUsage?.signs);

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/**
 * The time of signing: the time signed into the object, else the document's date of issue, else
 * now. A time in the future cannot be the time of signing.
 */
export const signingTimeOf = (
  signingTime: Date | undefined,
  dateOfIssue: string | undefined,
  now: Date,
): SigningTime => {
  if (signingTime && signingTime.getTime() <= now.getTime() + DAY) return { at: signingTime, from: 'SIGNING_TIME' };
  const issued = dateOfIssue ? new Date(`${dateOfIssue}T00:00:00Z`) : undefined;
  if (!signingTime && issued && issued <= now) return { at: issued, from: 'DATE_OF_ISSUE' };
  return { at: now, from: 'NOW' };
};

/**
 * By how much a time of signing may be off. A date of issue is a day in the issuer's time zone:
 * somewhere it begins 14 hours before it does in UTC, and ends 12 hours later. A signing time has
 * the slips of the signer's clock and time zone: nobody gains by them, since the signer states the
 * time itself.
 */
const SLIPS: Readonly<Record<SigningTime['from'], { before: number; after: number }>> = {
  DATE_OF_ISSUE: { before: 14 * HOUR, after: 36 * HOUR },
  SIGNING_TIME: { before: DAY, after: DAY },
  NOW: { before: 0, after: 0 },
};

const wasValid = ({ notBefore, notAfter }: Certificate, { at, from }: SigningTime): boolean => {
  const [first, last] = [at.getTime() - SLIPS[from].before, at.getTime() + SLIPS[from].after];
  return last >= notBefore.getTime() && first <= notAfter.getTime();
};

/**
 * Whether the authority had expired when the document was signed, if that is known, or when it
 * issued the certificate below it. A link certificate stands for its key and may expire before
 * that: of a link only the signature counts.
 */
const hadExpired = ({ anchor: { certificate }, path }: Chain, { at, from }: SigningTime): boolean => {
  const needed = path.length === 1 && from !== 'NOW' ? at : path.at(-1)!.notBefore;
  return needed.getTime() > certificate.notAfter.getTime() + DAY && isSelfSigned(certificate);
};

/**
 * Whether the certificate of the authority begins after the document was signed, or lies ahead of
 * us. A link certificate stands for a key that is older than itself, and so may a renewed one, of
 * which the first may be missing: this proves nothing against the document.
 */
const hadNotBegun = ({ anchor: { certificate } }: Chain, { at, from }: SigningTime): boolean =>
  certificate.notBefore.getTime() > at.getTime() + SLIPS[from].after && isSelfSigned(certificate);

/** Of an organisation's certificates other letters than the known ones may be its own, too. */
const countryOf = (issuingState: string | undefined, { subject }: Certificate): string | undefined => {
  if (issuingState === undefined) return undefined;
  const country = certificateCountryOf(issuingState);
  return country ?? (isOrganisation(issuingState, subject.country) ? subject.country : undefined);
};

/** A link certificate is of the country as well: an authority links its own keys alone. */
const countriesAgree = (country: string, [signer, ...links]: readonly Certificate[], anchor: Certificate): boolean =>
  [anchor, ...links].every(({ subject }) => subject.country === country) &&
  [signer?.issuer.country, signer?.subject.country].every((stated) => stated === undefined || stated === country);

/**
 * Checks that a document signer chains to a trusted authority of the issuer's country, is meant for
 * documents, was valid when it signed, and is not revoked.
 */
export const checkDocumentSigner = ({
  signer,
  others,
  trust,
  issuingState,
  documentCode,
  signed,
}: SignerQuestion): SignerCheck => {
  const chain = buildChain(signer, others, trust, (found) => !hadExpired(found, signed) && !hadNotBegun(found, signed));
  if (chain.state === 'WRONG') return { state: 'FAILED', reason: 'CHAIN_SIGNATURE_WRONG' };
  if (chain.state === 'UNKNOWN') return { state: 'UNVERIFIED', reason: 'AUTHORITY_UNKNOWN' };
  const { anchor, path } = chain;
  const country = countryOf(issuingState, anchor.certificate);
  const result = (state: CheckState, reason?: SignerProblem): SignerCheck => ({
    state,
    anchor,
    path,
    ...(reason ? { reason } : {}),
  });
  if ([...path, ...trust.certificatesOfKey(anchor.certificate)].some(trust.isRevoked))
    return result('FAILED', 'REVOKED');
  if (isForAnother(signer) || isNoSigner(signer, anchor.certificate))
    return result('FAILED', 'MADE_FOR_ANOTHER_PURPOSE');
  if (isForOthers(signer, documentCode)) return result('FAILED', 'MADE_FOR_OTHER_DOCUMENTS');
  if (!wasValid(signer, signed) || hadExpired(chain, signed)) return result('FAILED', 'NOT_VALID_WHEN_SIGNED');
  if (country === undefined) return result('UNVERIFIED', 'ISSUING_STATE_UNKNOWN');
  if (!countriesAgree(country, path, anchor.certificate)) return result('FAILED', 'OTHER_COUNTRY');
  if (hadNotBegun(chain, signed)) return result('UNVERIFIED', 'AUTHORITY_NOT_YET_VALID');
  return result('OK');
};
