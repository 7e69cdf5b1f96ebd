import { table } from '@assay/contracts/table';
import type { Values } from '../../domain/document.ts';
import type { Question } from '../../domain/question.ts';
import { writeXml } from './xml.ts';

const SOAP = 'http://www.w3.org/2003/05/soap-envelope';
const ADDRESSING = 'http://www.w3.org/2005/08/addressing';
export const VERIFY_ACTION = 'http://aamva.org/dldv/wsdl/2.1/IDLDVService21/VerifyDriverLicenseData';

const CATEGORIES = table<string>({ DRIVING_LICENSE: '1', IDENTITY_CARD: '3' });

export interface Addressing {
  /** Our id of the question, echoed in the answer. */
  transactionLocatorId: string;
  originatorId: string;
  destinationId: string;
}

const address = ({ street1, street2, city, state, postcode }: Values): object => ({
  'nc:AddressDeliveryPointText': [street1, street2].filter((line) => line !== undefined),
  'nc:LocationCityName': city,
  'nc:LocationStateUsPostalServiceCode': state,
  'nc:LocationPostalCode': postcode,
});

const request = (
  { transactionLocatorId, originatorId, destinationId }: Addressing,
  { type, values }: Question,
): object => ({
  'aa:ControlData': {
    'aa:MessageAddress': {
      'aa:TransactionLocatorId': transactionLocatorId,
      'aa:MessageOriginatorId': originatorId,
      'aa:MessageDestinationId': destinationId,
    },
  },
  'aa:DocumentCategoryCode': CATEGORIES[type],
  'nc:DriverLicenseIdentification': { 'nc:IdentificationID': values.number },
  'nc:DriverLicenseIssueDate': values.issuingDate,
  'nc:DriverLicenseExpirationDate': values.expiryDate,
  'aa:PersonBirthDate': values.dateOfBirth,
  'nc:PersonName': {
    'nc:PersonGivenName': values.givenName,
    'nc:PersonMiddleName': values.middleName,
    'nc:PersonSurName': values.surname,
    'nc:PersonNameSuffixText': values.suffix,
  },
  'aa:PersonSexCode': values.gender,
  'nc:PersonHeightMeasure': values.height,
  'nc:PersonEyeColorCode': values.eyeColor,
  'aa:Address': values.street1 || values.city || values.state || values.postcode ? address(values) : undefined,
});

const present = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== undefined && !(Array.isArray(inner) && inner.length === 0))
          .map(([name, inner]) => [name, present(inner)]),
      );

/** The SOAP 1.2 envelope of one verification: absent values have no element. */
export const verifyMessage = (token: string, addressing: Addressing, question: Question): string =>
  writeXml({
    'soap:Envelope': {
      '@xmlns:soap': SOAP,
      '@xmlns:ns': 'http://aamva.org/dldv/wsdl/2.1',
      '@xmlns:aa': 'http://aamva.org/niem/extensions/1.0',
      '@xmlns:nc': 'http://niem.gov/niem/niem-core/2.0',
      'soap:Header': { '@xmlns:wsa': ADDRESSING, 'wsa:Action': VERIFY_ACTION },
      'soap:Body': {
        'ns:VerifyDriverLicenseData': {
          'ns:token': token,
          'ns:verifyDriverLicenseDataRequest': present(request(addressing, question)),
        },
      },
    },
  });
