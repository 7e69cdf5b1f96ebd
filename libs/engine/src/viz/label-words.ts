/** What a label announces. */
export type Key =
  | 'fullname'
  | 'surname'
  | 'givenNames'
  | 'documentNumber'
  | 'cardNumber'
  | 'birthDate'
  | 'expiryDate'
  | 'issuingDate'
  | 'sex'
  | 'birthPlace'
  | 'authority'
  | 'address'
  | 'other';

/** Labels as letters and digits only, at the start of a line; the first that fits wins. */
export const LABELS: readonly (readonly [Key, RegExp])[] = [
  ['cardNumber', /^CARD(NUMBER|NO|NUM)/],
  [
    'documentNumber',
    /^(4D)?(DLN|DLNO|DL(?=\d|$)|LIC(ENCE|ENSE)?(NO|NUMBER)|DOCUMENTN(O|UMBER)|PASSPORTN(O|UMBER)|CUSTOMERIDENTIFIER|CRN|IDN(O|UMBER)|NIDNO|NIK(?=\d|$)|IDENTITYNUMBER|IDENTIFICATIONNUMBER|NUMERO)/,
  ],
  [
    'givenNames',
    /^(2|2FN)?(GIVENNAMES?|FIRSTNAMES?|FORENAMES?|PRENOMS?|NOMBRES?|VORNAMEN?|OTHERNAMES|MGAPANGALAN|NAMES$)|^2?FN(?![A-Z]{3})/,
  ],
  ['surname', /^(1|1LN)?(SURNAME|LASTNAME|FAMILYNAME|NOM|APELLIDOS?|APELYIDO|NACHNAME|COGNOME)|^1?LN(?![A-Z]{3})/],
  [
    'birthDate',
    /^3?(DATEOFBIRTH|BIRTHDATE|DOB|BORN|DATEDENAISSANCE|FECHADENACIMIENTO|GEBURTSDATUM|TEMPATTGLLAHIR|PETSANGKAPANGANAKAN)/,
  ],
  [
    'expiryDate',
    /^(4B)?(EXPIRYDATE|DATEOFEXPIRY|EXPIRY|EXPIRES|EXPIRATION|EXP(?=\d|$)|VALIDUNTIL|CARDEXPIRY|LICENCEEXPIRY|DATEDEXPIRATION|BERLAKUHINGGA|FECHADEVENCIMIENTO)/,
  ],
  ['issuingDate', /^(4A)?(DATEOFISSUE|ISSUEDATE|ISSUED|ISS(?=\d|$)|DATEDEDELIVRANCE|FECHADE(EXPEDICION|EMISION))/],
  ['sex', /^(15)?(SEX|SEXE|SEXO|GENDER|JENISKELAMIN)/],
  ['birthPlace', /^(PLACEOFBIRTH|BIRTHPLACE|LIEUDENAISSANCE|GEBURTSORT|LUGARDENACIMIENTO|LUOGODINASCITA)/],
  ['authority', /^(ISSUING)?(AUTHORITY|AUTORITE|AUTORIDAD|AUTORITA|BEHORDE)/],
  ['address', /^8?(ADDRESS|RESIDENTIALADDRESS|DOMICILIO|ALAMAT)/],
  ['fullname', /^(NAME|FULLNAME|NAMA)/],
  [
    'other',
    /^(9?CLASS|LICEN[CS]ECLASS|CONDITIONS|TYPE|EFFECTIVE|1[0-9](SEX|HGT|WGT|EYES|HAIR|RESTR)|NATIONALITY|CODE|PLACEOF|HGT|EYES|END|RESTR|DONOR)/,
  ],
];
