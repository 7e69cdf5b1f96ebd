/**
 * Specimens of identity documents, drawn from data: for the demonstration, for tests and for
 * benchmarks. The typefaces are in `fonts`.
 */
export { issuerOf, US_STATES, type UsState } from './aamva.ts';
export { ALTERABLE_FIELDS, type AlterableField, type Alteration, STATE_FIELDS } from './alteration.ts';
export { AUSTRALIAN_STATES, type AustralianState, drawAustralianLicence } from './australian-licence.ts';
export { type Degradation, degrade } from './degrade.ts';
export { drawEuropeanLicence, EUROPEAN_ISSUERS, type EuropeanIssuer } from './european-licence.ts';
export { drawIdentityCard } from './identity-card.ts';
export { type CheckedField, checkDigit, identityCardLines, passportLines } from './machine-lines.ts';
export { type DrawnDocument, type DrawOptions, drawPassport, type Truth } from './passport.ts';
export { type Person, randomPerson, SPECIMEN } from './person.ts';
export { drawPrintedCard, PRINTED_CARDS, type PrintedCard } from './printed-card.ts';
export { between, pick, type Random, seeded } from './random.ts';
export { photograph, type Scene } from './scene.ts';
export { type Place, pastePortrait, reprintPortrait } from './swap.ts';
export { drawUsLicence } from './us-licence.ts';
