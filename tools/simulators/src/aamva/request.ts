import { child, type Element, textOf } from './xml.ts';

/** One verification as it was asked. */
export interface AskedLicence {
  token: string;
  id: string;
  originator: string;
  destination: string;
  number: string;
  category: string | undefined;
  issueDate: string | undefined;
  expirationDate: string | undefined;
  birthDate: string | undefined;
  givenName: string | undefined;
  middleName: string | undefined;
  surname: string | undefined;
  suffix: string | undefined;
  sex: string | undefined;
  height: string | undefined;
  eyeColor: string | undefined;
  street: (string | undefined)[];
  city: string | undefined;
  state: string | undefined;
  postcode: string | undefined;
}

/** Reads VerifyDriverLicenseData; undefined when it is not one. */
export const readRequest = (body: Element): AskedLicence | undefined => {
  const message = child(body, 'VerifyDriverLicenseData');
  const asked = child(message, 'verifyDriverLicenseDataRequest');
  const address = child(asked, 'Address');
  const id = textOf(asked, 'ControlData', 'MessageAddress', 'TransactionLocatorId');
  const destination = textOf(asked, 'ControlData', 'MessageAddress', 'MessageDestinationId');
  const number = textOf(asked, 'DriverLicenseIdentification', 'IdentificationID');
  if (!id || !destination || !number) return undefined;
  const lines = child(address, 'AddressDeliveryPointText');
  return {
    token: textOf(message, 'token') ?? '',
    id,
    originator: textOf(asked, 'ControlData', 'MessageAddress', 'MessageOriginatorId') ?? '',
    destination,
    number,
    category: textOf(asked, 'DocumentCategoryCode'),
    issueDate: textOf(asked, 'DriverLicenseIssueDate'),
    expirationDate: textOf(asked, 'DriverLicenseExpirationDate'),
    birthDate: textOf(asked, 'PersonBirthDate'),
    givenName: textOf(asked, 'PersonName', 'PersonGivenName'),
    middleName: textOf(asked, 'PersonName', 'PersonMiddleName'),
    surname: textOf(asked, 'PersonName', 'PersonSurName'),
    suffix: textOf(asked, 'PersonName', 'PersonNameSuffixText'),
    sex: textOf(asked, 'PersonSexCode'),
    height: textOf(asked, 'PersonHeightMeasure'),
    eyeColor: textOf(asked, 'PersonEyeColorCode'),
    street: Array.isArray(lines) ? (lines as string[]) : [],
    city: textOf(address, 'LocationCityName'),
    state: textOf(address, 'LocationStateUsPostalServiceCode'),
    postcode: textOf(address, 'LocationPostalCode'),
  };
};
