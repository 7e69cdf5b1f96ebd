import { type Static, Type } from 'typebox';
import { CONSENT_TYPES } from '../vocabulary.ts';
import { CalendarDate, Exact, Id, OneOf } from './building-blocks.ts';
import { DATES_IN_ORDER } from './submissions.ts';

const period = Exact({ from: Type.Optional(CalendarDate), to: Type.Optional(CalendarDate) });
const fields = {
  approved: Type.Boolean(),
  type: OneOf(CONSENT_TYPES),
  validityPeriod: Type.Optional(period),
};

/** One consent in the request body of endpoint 2. Fields that it does not name are ignored. */
export const ConsentRequestSchema = Type.Object({
  ...fields,
  validityPeriod: Type.Optional(
    Type.Object(
      { from: Type.Optional(CalendarDate), to: Type.Optional(CalendarDate) },
      { [DATES_IN_ORDER]: ['from', 'to'] },
    ),
  ),
});
export type ConsentRequest = Static<typeof ConsentRequestSchema>;
export const ConsentsRequestSchema = Type.Array(ConsentRequestSchema, { minItems: 1, maxItems: 64 });

/** A recorded consent in replies and in the proof (specification, Consent). */
export const ConsentSchema = Exact({ consentId: Id, ...fields });
export type Consent = Static<typeof ConsentSchema>;
