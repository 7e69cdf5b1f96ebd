import { type Certificate, once, readCertificate, signatureBy } from '../certificates/certificate.ts';
import { nameKey } from '../certificates/name.ts';
import { certificateKey, type RevocationList, readRevocationList } from '../certificates/revocation-list.ts';
import { hash } from '../keys/digests.ts';
import { group } from './group.ts';

/** Where a certificate came from: from a signed list, or added alone by an administrator. */
export type TrustLevel = 'MASTER_LIST' | 'SINGLE';

/** A certificate of a country's authority that we trust. */
export interface TrustedCertificate {
  readonly certificate: Certificate;
  readonly source: string;
  readonly level: TrustLevel;
}

/** The content of a trust store as it is stored: DER, source and level. */
export interface TrustData {
  readonly certificates: readonly { readonly der: Uint8Array; readonly source: string; readonly level: TrustLevel }[];
  readonly revocationLists?: readonly Uint8Array[];
  /**
   * Certificates of document signers, for security objects that leave out theirs. Each is trusted
   * only with its chain.
   */
  readonly signers?: readonly Uint8Array[];
}

/** The authorities that could have signed a certificate. */
interface PossibleIssuers {
  readonly keyed: readonly TrustedCertificate[];
  readonly named: readonly TrustedCertificate[];
  readonly ofCountry: readonly TrustedCertificate[];
}

/**
 * What chains are built from. Make one when the data change, not for each chip: it reads every
 * certificate.
 */
export interface TrustStore {
  readonly certificates: readonly TrustedCertificate[];
  readonly signers: readonly Certificate[];
  readonly revocationLists: readonly RevocationList[];
  /**
   * The authorities that could have signed this certificate, each in one list: found by key
   * identifier, by name, or only by country, since issuers make mistakes in both.
   */
  readonly issuersOf: (certificate: Certificate) => PossibleIssuers;
  /** Every trusted certificate of this one's key: an authority's own, and link certificates. */
  certificatesOfKey(certificate: Certificate): readonly Certificate[];
  /**
   * Whether a revocation list names this certificate. An authority of its country must have signed
   * the list; the list is of the certificate's issuer, or indirect.
   */
  readonly isRevoked: (certificate: Certificate) => boolean;
  /**
   * The latest complete revocation list of a country whose signature is right and whose date has
   * come, if there is one.
   */
  readonly latestRevocationList: (country: string, now: Date) => RevocationList | undefined;
}

/** The identifier of a certificate's key: the stated one, else the usual hash of the key. */
const keyIdentifierOf = ({ subjectKeyId, keyBits }: Certificate): string =>
  (subjectKeyId ?? hash('sha1', keyBits)).toString('hex');

type ByName = ReadonlyMap<string, readonly TrustedCertificate[]>;

const present = (value: string | undefined): string[] => (value === undefined ? [] : [value]);

const signedByOneOf = (list: RevocationList, authorities: readonly TrustedCertificate[]): boolean =>
  authorities.some(({ certificate }) => signatureBy(list.signed, certificate) === 'RIGHT');

/**
 * The former names of authorities by their present ones: an authority that changes its name and its
 * key signs the new ones with the former key. Its lists then have the new name alone.
 */
const formerNamesOf = (trusted: readonly TrustedCertificate[], byName: ByName): ReadonlyMap<string, Set<string>> => {
  const renamed = trusted.flatMap(({ certificate }) => {
    const [present, former] = [nameKey(certificate.subject), nameKey(certificate.issuer)];
    const isLink =
      present !== former &&
      certificate.subject.country === certificate.issuer.country &&
      (byName.get(former) ?? []).some((one) => signatureBy(certificate.signed, one.certificate) === 'RIGHT');
    return isLink ? [{ present, former }] : [];
  });
  const names = new Map<string, Set<string>>();
  for (const { present } of renamed) {
    // It grows while it is walked: a name may have been changed several times.
    const all = new Set([present]);
    for (const name of all) for (const one of renamed) if (one.present === name) all.add(one.former);
    names.set(present, all);
  }
  return names;
};

/** Both names of an authority that was renamed count as one. */
const sameIssuer = (
  list: RevocationList,
  certificate: Certificate,
  formerNames: () => ReturnType<typeof formerNamesOf>,
): boolean =>
  nameKey(list.issuer) === nameKey(certificate.issuer) ||
  (list.authorityKeyId !== undefined &&
    certificate.authorityKeyId !== undefined &&
    list.authorityKeyId.equals(certificate.authorityKeyId)) ||
  formerNames().get(nameKey(list.issuer))?.has(nameKey(certificate.issuer)) === true;

/**
 * Whether the list names the certificate. An indirect list can name only certificates of its own
 * country.
 */
const listNames = (
  list: RevocationList,
  certificate: Certificate,
  formerNames: () => ReturnType<typeof formerNamesOf>,
): boolean => {
  const { issuer, serialNumber } = certificate;
  if (list.revoked.has(serialNumber) && sameIssuer(list, certificate, formerNames)) return true;
  return list.issuer.country === issuer.country && list.revokedOfOthers.has(certificateKey(issuer, serialNumber));
};

/**
 * Makes a trust store from certificates in DER. Throws a ChipError if one does not parse: what is
 * stored was read before.
 */
export const createTrustStore = ({ certificates, revocationLists = [], signers = [] }: TrustData): TrustStore => {
  const trusted = certificates.map(({ der, source, level }) => ({ certificate: readCertificate(der), source, level }));
  const byKey = group(trusted, ({ certificate }) => [keyIdentifierOf(certificate)]);
  const byName = group(trusted, ({ certificate }) => [nameKey(certificate.subject)]);
  const byCountry = group(trusted, ({ certificate }) => present(certificate.subject.country));
  const byKeyBits = group(
    trusted.map(({ certificate }) => certificate),
    ({ keyBits }) => [keyBits.toString('base64')],
  );
  // Only a list with the serial number of a certificate of another name asks for it.
  const formerNames = once(() => formerNamesOf(trusted, byName));
  const lists = revocationLists
    .map(readRevocationList)
    .filter((list) => signedByOneOf(list, byCountry.get(list.issuer.country ?? '') ?? []));
  return {
    certificates: trusted,
    signers: signers.map(readCertificate),
    revocationLists: lists,
    issuersOf: (certificate) => {
      const keyed = certificate.authorityKeyId ? (byKey.get(certificate.authorityKeyId.toString('hex')) ?? []) : [];
      const ofKey = new Set(keyed);
      const named = (byName.get(nameKey(certificate.issuer)) ?? []).filter((found) => !ofKey.has(found));
      // There may be thousands of a country, and chains try a few hundred at most.
      const known = new Set([...keyed, ...named]);
      const ofCountry = (byCountry.get(certificate.issuer.country ?? '') ?? []).filter((found) => !known.has(found));
      return { keyed, named, ofCountry };
    },
    certificatesOfKey: ({ keyBits }) => byKeyBits.get(keyBits.toString('base64')) ?? [],
    isRevoked: (certificate) => lists.some((list) => listNames(list, certificate, formerNames)),
    latestRevocationList: (country, now) =>
      lists
        .filter(({ issuer, isComplete, thisUpdate }) => isComplete && issuer.country === country && thisUpdate <= now)
        .toSorted((a, b) => b.thisUpdate.getTime() - a.thisUpdate.getTime())[0],
  };
};
