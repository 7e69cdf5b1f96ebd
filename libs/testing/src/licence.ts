/** The text of a driving licence of Virginia, as a client submits it. */
export const licenceText = ({
  number = 'T64235789',
  surname = 'SPECIMEN',
  expiryDate = '2035-08-12',
}: {
  number?: string;
  surname?: string;
  expiryDate?: string;
} = {}) => ({
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: number,
  issuingCountry: 'USA',
  issuingState: 'VA',
  expiryDate,
  personalAttributes: {
    dateOfBirth: { value: '1974-08-12' },
    givenNames: [{ value: 'BARRY' }],
    surname: { value: surname },
    gender: { value: 'M' },
  },
});
