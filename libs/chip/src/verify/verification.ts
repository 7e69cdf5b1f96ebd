import type { ChipErrorCode } from '../errors.ts';
import type { DocumentDetails, HolderDetails } from '../lds/details.ts';
import type { FoundImage } from '../lds/image.ts';
import type { MachineReadableZone } from '../lds/machine-readable-zone.ts';
import type { FoundPortrait } from '../lds/portrait.ts';
import type { SignerProblem, SigningTime } from '../passive/document-signer.ts';
import type { DataGroupState } from '../passive/passive-authentication.ts';
import type { CheckState } from '../passive/states.ts';
import type { TrustLevel } from '../trust/store.ts';

/** The checks of a chip, in the order in which they are reported. */
export const CHIP_INDICATORS = [
  'PASSIVE_AUTHENTICATION_CHECK',
  'PASOD_SIGNATURE_CHECK',
  'PASSIVE_AUTHENTICATION_HASH_CHECK',
  'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK',
  'ACTIVE_AUTHENTICATION_CHECK',
  'CHIP_AUTHENTICATION_CHECK',
  'DATA_GROUP1_CHECK',
  'BASIC_ACCESS_CONTROL_CHECK',
  'PASSWORD_AUTHENTICATED_CONNECTION_ESTABLISHMENT_CHECK',
  'TERMINAL_AUTHENTICATION_CHECK',
] as const;

export type ChipIndicatorName = (typeof CHIP_INDICATORS)[number];

/**
 * One check and its result. `name` and `state` make the name of the indicator, as
 * `PASOD_SIGNATURE_CHECK_OK`.
 */
export interface ChipIndicator {
  readonly name: ChipIndicatorName;
  readonly state: CheckState;
}

/** A finding beside the indicators. None contains personal data. */
export type ChipFinding =
  | {
      readonly code:
        | 'DATA_GROUP_HASH_DIFFERS'
        | 'DATA_GROUP_NOT_LISTED'
        | 'DATA_GROUP_WITHHELD'
        | 'DATA_GROUP_UNREADABLE';
      readonly dataGroup: number;
    }
  | { readonly code: 'SIGNATURE_NOT_RIGHT'; readonly reason: string }
  | { readonly code: 'SIGNER_NOT_RIGHT'; readonly reason: SignerProblem }
  | {
      readonly code:
        | 'CHECK_DIGITS_WRONG'
        | 'MRZ_DIFFERS_FROM_IMAGE'
        | 'DOCUMENT_EXPIRED'
        | 'DIGEST_IS_SHA1'
        | 'NO_REVOCATION_LIST'
        | 'REVOCATION_LIST_OUTDATED';
    };

/** A file that could not be read, and why. */
export interface ChipFileError {
  readonly file: 'documentSecurityObject' | `dataGroups.${string}`;
  readonly code: ChipErrorCode | 'REFUSED' | 'MISSING' | 'PORTRAIT_UNREADABLE';
  readonly reason: string;
}

/** A certificate as people see it. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly sha256: string;
}

/** The result for a chip. */
export interface ChipVerification {
  readonly indicators: readonly ChipIndicator[];
  readonly findings: readonly ChipFinding[];
  /**
   * Files that cannot be read. If there is one, the evidence is bad, whatever the indicators say.
   */
  readonly errors: readonly ChipFileError[];
  /** By their numbers, as they were sent. */
  readonly dataGroups: Readonly<Record<string, DataGroupState>>;
  /** What the machine-readable zone says, if data group 1 could be read. */
  readonly mrz?: MachineReadableZone;
  readonly expired?: boolean;
  /** Only from data groups whose hash is right. */
  readonly holder?: HolderDetails;
  readonly document?: DocumentDetails;
  readonly portrait?: FoundPortrait;
  readonly signatureImage?: FoundImage;
  readonly signer?: ShownCertificate & { readonly signedAt: string; readonly signedAtFrom: SigningTime['from'] };
  readonly authority?: ShownCertificate & { readonly source: string; readonly level: TrustLevel };
}
