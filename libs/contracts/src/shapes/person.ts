import { type Static, Type } from 'typebox';
import { Exact } from './building-blocks.ts';

const value = Exact({ value: Type.String(), verified: Type.Boolean() });

/** attributesData in the specification; also personalAttributes of a document. */
export const AttributesDataSchema = Exact({
  givenNames: Type.Optional(Type.Array(value)),
  surname: Type.Optional(value),
  fullname: Type.Optional(value),
  dateOfBirth: Type.Optional(value),
  gender: Type.Optional(value),
  eyeColor: Type.Optional(value),
  height: Type.Optional(value),
});
export type AttributesData = Static<typeof AttributesDataSchema>;

/** addressData in the specification; also the address of a document. */
export const AddressDataSchema = Exact({
  streetDetails: Type.Optional(Exact({ streetLines: Type.Array(Type.String()), verified: Type.Boolean() })),
  postcode: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  verified: Type.Optional(Type.Boolean()),
});
export type AddressData = Static<typeof AddressDataSchema>;

/**
 * idDocumentData in the specification: everything that was read, whatever the status; `{}` if
 * nothing was read.
 */
export const IdDocumentDataSchema = Exact({
  idDocumentType: Type.Optional(Type.String()),
  idDocumentNumber: Type.Optional(Type.String()),
  issuingCountry: Type.Optional(Type.String()),
  issuingState: Type.Optional(Type.String()),
  issuingDate: Type.Optional(Type.String()),
  expiryDate: Type.Optional(Type.String()),
  personalAttributes: Type.Optional(AttributesDataSchema),
  address: Type.Optional(AddressDataSchema),
  cardNumber: Type.Optional(Type.String()),
  cardType: Type.Optional(Type.String()),
  individualReferenceNumber: Type.Optional(Type.Integer()),
  fullname2: Type.Optional(Type.String()),
  fullname3: Type.Optional(Type.String()),
  fullname4: Type.Optional(Type.String()),
});
export type IdDocumentData = Static<typeof IdDocumentDataSchema>;
