import { encodeElement, TAG } from '../der/write.ts';
import { distinguishedName, integer, sequence } from './build.ts';
import { issueCertificate, issueRevocationList, newSerialNumber } from './certificates.ts';
import { drawKey, type KeyKind, type KeyPair, type KeySource, type SignatureForm } from './keys.ts';
import { signData } from './signed-data.ts';

/**
 * How to make an authority: two letters of the country, kind of key, form of its signatures,
 * validity.
 */
export interface AuthorityPlan {
  readonly country?: string;
  readonly name?: string;
  readonly key?: KeyKind;
  readonly form?: SignatureForm;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly keys?: KeySource;
  /** An earlier certificate for the same key; a new one is signed if it is left out. */
  readonly certificate?: Buffer;
}

/** How to make a signer. */
export interface SignerPlan {
  readonly key?: KeyKind;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly withoutIssuerKey?: boolean;
  readonly role?: 'SIGNER' | 'LIST_SIGNER';
  readonly country?: string;
}

/** A document signer and its key. */
export interface Signer {
  readonly key: KeyPair;
  readonly certificate: Buffer;
  readonly serialNumber: Buffer;
  readonly notAfter: Date;
}

/** A country's signing authority, in software. */
export interface Authority {
  readonly certificate: Buffer;
  readonly issueSigner: (plan?: SignerPlan) => Signer;
  /**
   * The same authority with its next key, and the certificate that links that key to the former
   * one.
   */
  readonly renew: () => { readonly authority: Authority; readonly link: Buffer };
  readonly revoke: (serialNumbers: readonly Uint8Array[], thisUpdate: Date, nextUpdate: Date) => Buffer;
  /** A master list of these certificates, signed by a list signer of this authority. */
  readonly signMasterList: (certificates: readonly Buffer[], signedAt: Date) => Buffer;
}

const P256 = { curve: 'prime256v1' };

/** Makes an authority: a key and a self-signed certificate. */
export const createAuthority = (plan: AuthorityPlan = {}): Authority => {
  const {
    country = 'UT',
    name = 'Specimen Authority',
    key: kind = P256,
    form = { digest: 'sha256' },
    keys = drawKey,
  } = plan;
  const { notBefore = new Date('2020-01-01T00:00:00Z'), notAfter = new Date('2045-01-01T00:00:00Z') } = plan;
  return authorityWith({ country, name, kind, form, keys, notBefore, notAfter }, keys(kind), plan.certificate);
};

interface Settings {
  readonly country: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly form: SignatureForm;
  readonly keys: KeySource;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const authorityWith = (settings: Settings, own: KeyPair, earlier?: Buffer): Authority => {
  const { country, name, kind, form, keys, notBefore, notAfter } = settings;
  const issuer = distinguishedName(country, name, `${name} CSCA`);
  const validity = { notBefore, notAfter };
  const self = { subject: issuer, issuer, form, ...validity, role: 'AUTHORITY' } as const;

  const issueSigner = (signer: SignerPlan = {}): Signer => {
    const key = keys(signer.key ?? P256);
    const serialNumber = newSerialNumber();
    const until = signer.notAfter ?? notAfter;
    const certificate = issueCertificate({
      subject: distinguishedName(signer.country ?? country, name, `${name} Signer`),
      issuer,
      key,
      signedBy: own,
      form,
      notBefore: signer.notBefore ?? notBefore,
      notAfter: until,
      role: signer.role ?? 'SIGNER',
      serialNumber,
      withoutIssuerKey: signer.withoutIssuerKey ?? false,
    });
    return { key, certificate, serialNumber, notAfter: until };
  };

  return {
    certificate: earlier ?? issueCertificate({ ...self, key: own, signedBy: own }),
    issueSigner,
    renew: () => {
      const next = keys(kind);
      return {
        authority: authorityWith(settings, next),
        link: issueCertificate({ ...self, key: next, signedBy: own }),
      };
    },
    revoke: (serialNumbers, thisUpdate, nextUpdate) =>
      issueRevocationList({ issuer, signedBy: own, form, thisUpdate, nextUpdate, serialNumbers }),
    signMasterList: (certificates, signedAt) => {
      const signer = issueSigner({ role: 'LIST_SIGNER', notAfter });
      return signData({
        contentType: '2.23.136.1.1.2',
        content: sequence(integer(0), encodeElement(TAG.set, ...certificates)),
        certificate: signer.certificate,
        signerKeyId: signer.key.keyId,
        signedBy: signer.key,
        form: { digest: 'sha256' },
        naming: 'KEY_ID',
        signingTime: signedAt,
      });
    },
  };
};
