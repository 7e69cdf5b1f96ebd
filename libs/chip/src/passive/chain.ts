import { type Certificate, signatureBy } from '../certificates/certificate.ts';
import { LIMITS } from '../limits.ts';
import type { TrustedCertificate, TrustStore } from '../trust/store.ts';

/**
 * A chain to an authority that we trust. The path begins at the signer and leaves out the anchor.
 */
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

/** Whether one certificate names the other as its issuer: by key identifier if both have one. */
const namesIssuer = (certificate: Certificate, issuer: Certificate): boolean =>
  certificate.authorityKeyId !== undefined &&
  issuer.subjectKeyId !== undefined &&
  certificate.authorityKeyId.equals(issuer.subjectKeyId);

/** Another country's key identifier may happen to be the same. */
const isOfCountry = ({ issuer }: Certificate, { subject }: Certificate): boolean =>
  issuer.country === undefined || subject.country === issuer.country;

type Path = readonly Certificate[];

/**
 * The paths up from a signer over link certificates, the shortest first. Links are found by key
 * identifier and signature, never by name, and only authorities count. The length and the number of
 * signatures tried have limits.
 */
const pathsFrom = (signer: Certificate, links: readonly Certificate[]): readonly Path[] => {
  // It grows while it is walked: link certificates lead from each path to longer ones.
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
 * On every path it tries first the authorities that a certificate names. It tries the other
 * authorities of the country last: there may be so many that they use up the limited attempts. One
 * key may have several certificates: the first preferred chain counts, else the first chain.
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
    if (signature === 'WRONG' && isKeyed && isOfCountry(path.at(-1)!, anchor.certificate)) wrong = true;
  }
  if (second) return { state: 'TRUSTED', ...second };
  if (wrong) return { state: 'WRONG', reason: 'the authority that the certificate names did not sign it' };
  return { state: 'UNKNOWN', reason: 'no trusted authority of the signer is known' };
};
