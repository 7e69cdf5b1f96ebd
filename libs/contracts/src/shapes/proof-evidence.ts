import { type Static, Type } from 'typebox';
import { CAPTURE_CHANNELS, CAPTURE_SOURCES, EVIDENCE_FAMILIES, EVIDENCE_TYPES, SIDES } from '../vocabulary.ts';
import { CalendarDate, CountryCode, Exact, OneOf } from './building-blocks.ts';

const opt = Type.Optional;
const str = Type.String();
const strings = Type.Array(str);

const holder = (date: typeof CalendarDate | typeof str) =>
  Exact({
    dateOfBirth: opt(date),
    fullname: opt(str),
    gender: opt(str),
    givenNames: opt(strings),
    nationality: opt(str),
    surname: opt(str),
    usageName: opt(str),
  });
export const MetadataSchema = Exact({ key: str, value: str });
export type Metadata = Static<typeof MetadataSchema>;

/**
 * The key under which `additionalFile` names the further files of its submission: no client's own.
 */
export const FURTHER_FILE_KEY = 'furtherFileId';
/** The keys under which the metadata of an evidence has calls, each in JSON: no client's own. */
export const CALL_KEYS = ['furtherCall', 'identityCall'] as const;

export const DocumentDataSchema = Exact({
  documentNumber: opt(str),
  expiryDate: opt(CalendarDate),
  issuingDate: opt(CalendarDate),
  issuingCountry: opt(CountryCode),
  holderInformation: opt(Type.Array(holder(CalendarDate))),
  metadata: opt(Type.Array(MetadataSchema)),
  mrz: opt(strings),
});
export type DocumentData = Static<typeof DocumentDataSchema>;

/** The visual zone as printed on the document: free-form strings. */
export const OriginLanguageDataSchema = Exact({
  documentNumber: opt(str),
  expiryDate: opt(str),
  issuingCountry: opt(str),
  issuingDate: opt(str),
  holderInformation: opt(Type.Array(holder(str))),
});
export type OriginLanguageData = Static<typeof OriginLanguageDataSchema>;

export const CaptureImageSchema = Exact({
  channel: opt(OneOf(CAPTURE_CHANNELS)),
  deviceModel: opt(str),
  id: opt(str),
  osType: opt(str),
  osVersion: opt(str),
  side: opt(OneOf(SIDES)),
  source: opt(OneOf(CAPTURE_SOURCES)),
});
export type CaptureImage = Static<typeof CaptureImageSchema>;
export const CropSchema = Exact({ id: opt(str), originalCaptureId: opt(str) });

const SdkInfoSchema = Exact({ sdkVersion: opt(str) });
export const DeviceInfoSchema = Exact({
  browserName: opt(str),
  browserVersion: opt(str),
  deviceManufacturer: opt(str),
  deviceModel: opt(str),
  osType: opt(str),
  osVersion: opt(str),
  sdkInfo: opt(SdkInfoSchema),
});

export const EvidenceDetailsSchema = Exact({
  id: str,
  family: OneOf(EVIDENCE_FAMILIES),
  type: OneOf(EVIDENCE_TYPES),
  addressReferenceId: opt(str),
  attributesReferenceId: opt(str),
  captureImages: opt(Type.Array(CaptureImageSchema)),
  photoCrops: opt(Type.Array(CropSchema)),
  data: opt(DocumentDataSchema),
  originLanguageData: opt(OriginLanguageDataSchema),
  deviceInfo: opt(DeviceInfoSchema),
  sdkInfo: opt(SdkInfoSchema),
  video: opt(str),
});
export type EvidenceDetails = Static<typeof EvidenceDetailsSchema>;
