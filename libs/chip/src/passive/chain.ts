import { type Certificate, signatureBy } from '../certificates/certificate.ts';
import { LIMITS } from '../limits.ts';
import type { TrustedCertificate, TrustStore } from '../trust/store.ts';

/** A chain to whom we trust. The path goes from the signer up to, and without, the anchor. */
export interface Chain {
  readonly anchor: TrustedCertificate;
  readonly path: readonly Certificate[];
}

/** Where a certificate's chain leads. */
export type ChainSearch =
  | ({ readonly state: 'TRUSTED' } & Chain)
  | { readonly state: 'WRONG'; readonly reason: string }
  | { readonly state: 'UNKNOWN'; readonly reason: string };

const mayIssue = ({ isAuthority, keyUsage }: Certificate): boolean =>
  isAuthority === true && keyUsage?.signsCertificates !== false;

/** Whether one certificate names the other as its issuer: by key identifier where both have one. */
const namesIssuer = (certificate: Certificate, issuer: Certificate): boolean =>
  certificate.authorityKeyId !== undefined &&
  issuer.subjectKeyId !== undefined &&
  certificate.authorityKeyId.equals(issuer.subjectKeyId);

type Path = readonly Certificate[];

/**
 * The ways up from a signer over link certificates, the shortest first: links are found by key
 * identifier and signature, never by name, and only authorities count. Bounded in length and in
 * signatures tried.
 */
const pathsFrom = (signer: Certificate, links: readonly Certificate[]): readonly Path[] => {
  // Grows while it is walked: from each way found, links lead on.
  const paths: Path[] = [[signer]];
  const seen = new Set([signer.sha256]);
  let attempts = 0;
  for (const path of paths) {
    const last = path.at(-1)!;
    for (const link of path.length < LIMITS.chainLength ? links : []) {
      if (seen.has(link.sha256) || !namesIssuer(last, link) || attempts === LIMITS.linkAttempts) continue;
      attempts += 1;
      seen.add(link.sha256);
      if (signatureBy(last.signed, link) === 'RIGHT') paths.push([...path, link]);
    }
  }
  return paths;
};

/**
 * Builds the chain from a signer, over link certificates among `others`, to a certificate we trust.
 * Authorities that a certificate names come first, of all ways up, and the others of its country
 * last: a country may have so many that none of the bounded number of attempts is left. One key may
 * have several certificates: the first chain that is preferred counts, else the first.
 */
export const buildChain = (
  signer: Certificate,
  others: readonly Certificate[],
  trust: TrustStore,
  isPreferred: (chain: Chain) => boolean = () => true,
): ChainSearch => {
  const ways = pathsFrom(signer, others.filter(mayIssue)).map((path) => ({ path, ...trust.issuersOf(path.at(-1)!) }));
  const attempts = [
    ...ways.flatMap(({ path, keyed }) => keyed.map((anchor) => ({ path, anchor, isKeyed: true }))),
    ...ways.flatMap(({ path, named }) => named.map((anchor) => ({ path, anchor, isKeyed: false }))),
    ...ways.flatMap(({ path, ofCountry }) => ofCountry.map((anchor) => ({ path, anchor, isKeyed: false }))),
  ];
  let wrong = false;
  let second: Chain | undefined;
  for (const { path, anchor, isKeyed } of attempts.slice(0, LIMITS.issuerAttempts)) {
    const signature = signatureBy(path.at(-1)!.signed, anchor.certificate);
    if (signature === 'RIGHT') {
      if (isPreferred({ anchor, path })) return { state: 'TRUSTED', anchor, path };
      second ??= { anchor, path };
    }
    if (signature === 'WRONG' && isKeyed) wrong = true;
  }
  if (second) return { state: 'TRUSTED', ...second };
  if (wrong) return { state: 'WRONG', reason: 'the authority that the certificate names did not sign it' };
  return { state: 'UNKNOWN', reason: 'no trusted authority of the signer is known' };
};
