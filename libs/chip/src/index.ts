/**
 * Checks the chips of ICAO 9303 documents: compares what a reader read with the issuers that we
 * trust.
 */
export { type Certificate, isSelfSigned, readCertificate } from './certificates/certificate.ts';
export { nameText } from './certificates/name.ts';
export { type RevocationList, readRevocationList } from './certificates/revocation-list.ts';
export {
  beginChipAuthentication,
  beginWithChipKey,
  type ChipAuthenticationStart,
  type ChipAuthenticationState,
  type ChipKey,
  checkChipAnswer,
  readChipKey,
} from './chip-authentication/chip-authentication.ts';
export { attempt, ChipError, type ChipErrorCode } from './errors.ts';
export { isDayOver } from './lds/days.ts';
export type { DocumentDetails, HolderDetails } from './lds/details.ts';
export type { FoundImage } from './lds/image.ts';
export {
  type MachineReadableZone,
  sameCheckedCharacters,
  sameMachineReadableZone,
} from './lds/machine-readable-zone.ts';
export type { FoundPortrait } from './lds/portrait.ts';
export { type LdsObject, readSecurityObject, type SecurityObject } from './lds/security-object.ts';
export { LIMITS } from './limits.ts';
export { certificateCountryOf } from './passive/countries.ts';
export type { SignerProblem } from './passive/document-signer.ts';
export type { DataGroupState } from './passive/passive-authentication.ts';
export type { CheckState } from './passive/states.ts';
export { readTrustFile, type TrustFile } from './trust/files.ts';
export { type MasterList, readMasterList } from './trust/master-list.ts';
export { type ImportedList, type ReportOptions, reportOfTrust, type TrustReport } from './trust/report.ts';
export {
  createTrustStore,
  type TrustData,
  type TrustedCertificate,
  type TrustLevel,
  type TrustStore,
} from './trust/store.ts';
export { REFUSED_DATA_GROUPS } from './verify/data-groups.ts';
export type { ChipEvidence } from './verify/evidence.ts';
export {
  CHIP_INDICATORS,
  type ChipFileError,
  type ChipFinding,
  type ChipIndicator,
  type ChipIndicatorName,
  type ChipVerification,
  type ShownCertificate,
} from './verify/verification.ts';
export { verifyChip } from './verify/verify-chip.ts';
