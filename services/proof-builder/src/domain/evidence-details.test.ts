import { type CaptureDetails, EvidenceDetailsSchema, violationsOf } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { evidenceDetails } from './evidence-details.ts';

const detailsOf = (captureDetails: CaptureDetails) =>
  evidenceDetails({
    ...{ evidenceId: 'e', type: 'PASSPORT', evaluation: undefined, media: [] },
    submitted: { operation: 'ID_DOCUMENT_CAPTURE', submission: { captureDetails } },
  } as unknown as Parameters<typeof evidenceDetails>[0]);

test.each([{ sdkVersion: '4.2' }, '4.2'])('the SDK of a device is an object, submitted as %j', (sdkInfo) => {
  const details = detailsOf({ deviceInfo: { osType: 'iOS', sdkInfo }, sdkInfo: { sdkVersion: '4.3' } });
  expect(details).toMatchObject({
    deviceInfo: { osType: 'iOS', sdkInfo: { sdkVersion: '4.2' } },
    sdkInfo: { sdkVersion: '4.3' },
  });
  expect(violationsOf(EvidenceDetailsSchema, details)).toEqual([]);
});

test('the country of the passport that a visa is linked to is in the metadata', () => {
  const documentText = {
    ...{ idDocumentType: 'VISA', idDocumentNumber: 'PA1', issuingCountry: 'AUS', passportCountry: 'NZL' },
    personalAttributes: { dateOfBirth: { value: '1990-01-02' }, givenNames: [{ value: 'A' }], surname: { value: 'B' } },
  };
  const details = evidenceDetails({
    ...{ evidenceId: 'e', type: 'VISA', evaluation: undefined, media: [] },
    submitted: { operation: 'ID_DOCUMENT', submission: { documentText } },
  } as unknown as Parameters<typeof evidenceDetails>[0]);
  expect(details.data?.metadata).toEqual([{ key: 'passportCountry', value: 'NZL' }]);
});

test('what was stated about additional files is in the metadata where their deletion left no file to be with', () => {
  const metadata = [{ key: 'kind', value: 'contract' }];
  const dataWith = (media: unknown[]) =>
    evidenceDetails({
      ...{ evidenceId: 'e', type: 'ADDITIONAL_FILE', evaluation: undefined, media },
      submitted: { operation: 'ADDITIONAL_FILE', submission: { metadata } },
    } as unknown as Parameters<typeof evidenceDetails>[0]).data;
  expect(dataWith([])).toEqual({ metadata });
  expect(dataWith([{ mediaId: 'm', role: 'ADDITIONAL_FILE' }])).toBeUndefined();
});

test('members of a device or an SDK that the proof does not name are left out, and so is what says nothing', () => {
  const unknown = { deviceInfo: { colour: 'red', osVersion: '17' }, sdkInfo: { sdkVersion: '4.3', build: 7 } };
  const details = detailsOf(unknown);
  expect(details).toMatchObject({ deviceInfo: { osVersion: '17' }, sdkInfo: { sdkVersion: '4.3' } });
  expect(violationsOf(EvidenceDetailsSchema, details)).toEqual([]);
  expect(detailsOf({ deviceInfo: {}, sdkInfo: {} })).toEqual({ id: 'e', family: 'IDDOCUMENT', type: 'PASSPORT' });
});
