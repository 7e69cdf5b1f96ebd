import { attempt } from '../errors.ts';
import { type Certificate, isSelfSigned } from './certificate.ts';

const isOwnIssuer = ({ authorityKeyId, subjectKeyId }: Certificate): boolean =>
  authorityKeyId !== undefined && subjectKeyId !== undefined && authorityKeyId.equals(subjectKeyId);

/** Certificates of the first passports do not say what their key is for. */
const isOldAuthority = (certificate: Certificate): boolean =>
  certificate.isAuthority === undefined &&
  certificate.keyUsage?.signsCertificates !== false &&
  isSelfSigned(certificate);

/** Why a certificate cannot be an authority's; undefined if it can. */
export const refusalOf = (certificate: Certificate): string | undefined => {
  if (certificate.subject.country === undefined) return 'the subject has no country';
  const key = attempt(certificate.publicKey);
  if (key.error) return key.error.message;
  if (isOwnIssuer(certificate) && !isSelfSigned(certificate))
    return 'the certificate names its own key as its issuer, and that key did not sign it';
  if (certificate.isAuthority !== true && !isOldAuthority(certificate)) return 'the certificate is no authority';
  const { keyUsage } = certificate;
  return keyUsage?.signsCertificates === false ? 'the key of the certificate may not sign certificates' : undefined;
};
