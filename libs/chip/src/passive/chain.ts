import { type Certificate, signatureBy } from '../certificates/certificate.ts';
import { LIMITS } from '../limits.ts';
import type { TrustedCertificate, TrustStore } from '../trust/store.ts';

/**
 * Where a certificate's chain leads. The path goes from the signer up to, and without, the anchor.
 */
export type ChainVerdict =
  | { readonly state: 'TRUSTED'; readonly anchor: TrustedCertificate; readonly path: readonly Certificate[] }
  | { readonly state: 'WRONG'; readonly reason: string }
  | { readonly state: 'UNKNOWN'; readonly reason: string };

interface Step {
  readonly path: readonly Certificate[];
}

const mayIssue = ({ isAuthority, keyUsage }: Certificate): boolean =>
  isAuthority === true && keyUsage?.signsCertificates !== false;

/** Whether one certificate names the other as its issuer: by key identifier where both have one. */
const namesIssuer = (certificate: Certificate, issuer: Certificate): boolean =>
  certificate.authorityKeyId !== undefined &&
  issuer.subjectKeyId !== undefined &&
  certificate.authorityKeyId.equals(issuer.subjectKeyId);

/**
 * Builds the chain from a signer to a certificate we trust. Link certificates among `others` may
 * stand between: they are found by key identifier and signature, never by name alone, and only
 * authorities count. The search is bounded in length and in signatures tried.
 */
export const buildChain = (signer: Certificate, others: readonly Certificate[], trust: TrustStore): ChainVerdict => {
  const links = others.filter(mayIssue);
  const open: Step[] = [{ path: [signer] }];
  const seen = new Set([signer.sha256]);
  let attempts = 0;
  let wrong = false;
  while (open.length > 0 && attempts < LIMITS.chainAttempts) {
    const { path } = open.shift()!;
    const last = path.at(-1)!;
    for (const { trusted, keyed } of trust.issuersOf(last)) {
      attempts += 1;
      const signature = signatureBy(last.signed, trusted.certificate);
      if (signature === 'RIGHT') return { state: 'TRUSTED', anchor: trusted, path };
      if (signature === 'WRONG' && keyed) wrong = true;
    }
    for (const link of path.length < LIMITS.chainLength ? links : []) {
      if (seen.has(link.sha256) || !namesIssuer(last, link)) continue;
      attempts += 1;
      seen.add(link.sha256);
      if (signatureBy(last.signed, link) === 'RIGHT') open.push({ path: [...path, link] });
    }
  }
  if (wrong) return { state: 'WRONG', reason: 'the authority that the certificate names did not sign it' };
  return { state: 'UNKNOWN', reason: 'no trusted authority of the signer is known' };
};
