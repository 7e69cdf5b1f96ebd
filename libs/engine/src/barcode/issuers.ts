/** The authority that issued a licence or card, by its AAMVA issuer identification number. */
export interface Issuer {
  iin: string;
  /** ISO 3166-1 alpha-3. */
  country: 'USA' | 'CAN' | 'MEX';
  /** Two-letter state, province or territory; absent for the federal government. */
  state?: string;
  name: string;
}

const UNITED_STATES = `
636033 AL Alabama|636059 AK Alaska|604427 AS American Samoa|636026 AZ Arizona|636021 AR Arkansas|636014 CA California
636020 CO Colorado|636006 CT Connecticut|636011 DE Delaware|636043 DC District of Columbia|636010 FL Florida
636055 GA Georgia|636019 GU Guam|636047 HI Hawaii|636050 ID Idaho|636035 IL Illinois|636037 IN Indiana|636018 IA Iowa
636022 KS Kansas|636046 KY Kentucky|636007 LA Louisiana|636041 ME Maine|636003 MD Maryland|636002 MA Massachusetts
636032 MI Michigan|636038 MN Minnesota|636051 MS Mississippi|636030 MO Missouri|636008 MT Montana|636054 NE Nebraska
636049 NV Nevada|636039 NH New Hampshire|636036 NJ New Jersey|636009 NM New Mexico|636001 NY New York
636004 NC North Carolina|636034 ND North Dakota|604430 MP Northern Mariana Islands|636023 OH Ohio|636058 OK Oklahoma
636029 OR Oregon|636025 PA Pennsylvania|604431 PR Puerto Rico|636052 RI Rhode Island|636005 SC South Carolina
636042 SD South Dakota|636053 TN Tennessee|636015 TX Texas|636062 VI Virgin Islands|636040 UT Utah|636024 VT Vermont
636000 VA Virginia|636045 WA Washington|636061 WV West Virginia|636031 WI Wisconsin|636060 WY Wyoming
636027 -- Department of State`;

const CANADA = `
604432 AB Alberta|636028 BC British Columbia|636048 MB Manitoba|636017 NB New Brunswick|636016 NL Newfoundland
604434 NT Northwest Territories|636013 NS Nova Scotia|604433 NU Nunavut|636012 ON Ontario|604426 PE Prince Edward Island
604428 QC Quebec|636044 SK Saskatchewan|604429 YT Yukon`;

const MEXICO = '636056 CO Coahuila|636057 HI Hidalgo';

const parse = (text: string, country: Issuer['country']): Issuer[] =>
  text
    .split(/[\n|]/)
    .filter(Boolean)
    .map((row) => {
      const [iin, state, ...name] = row.split(' ') as [string, string, ...string[]];
      return { iin, country, name: name.join(' '), ...(state !== '--' && { state }) };
    });

/**
 * Issuer identification numbers assigned by AAMVA (DL/ID card design standard, annex on issuer
 * identification).
 */
export const ISSUERS: readonly Issuer[] = [
  ...parse(UNITED_STATES, 'USA'),
  ...parse(CANADA, 'CAN'),
  ...parse(MEXICO, 'MEX'),
];

const BY_IIN = new Map(ISSUERS.map((issuer) => [issuer.iin, issuer]));

export const issuerOf = (iin: string): Issuer | undefined => BY_IIN.get(iin);
