import { CalendarDate, OneOf } from '@assay/contracts';
import { EVIDENCE_KINDS } from '@assay/policy';
import { Type } from 'typebox';

/** No identity has more (gateway, bounds of an identity). */
const MOST_EVIDENCES = 100;

const text = Type.String();
const optionalText = Type.Optional(text);
const optionalTexts = Type.Optional(Type.Array(text));

const settings = Type.Object({
  acceptSpecimens: Type.Boolean(),
  issuingSources: Type.Object({ enabled: Type.Boolean() }),
  adjudication: Type.Object({ enabled: Type.Boolean() }),
});

const consents = Type.Array(
  Type.Object({
    consentId: text,
    type: text,
    approved: Type.Boolean(),
    validityPeriod: Type.Optional(Type.Object({ from: Type.Optional(CalendarDate), to: Type.Optional(CalendarDate) })),
  }),
);

const participant = Type.Object({
  participantType: optionalText,
  participantState: optionalText,
  raisedIndicators: optionalTexts,
  errors: Type.Optional(Type.Array(Type.Object({ code: text }))),
});

const evidence = Type.Object({
  evidenceId: text,
  type: text,
  kind: OneOf(EVIDENCE_KINDS),
  submitDateTime: text,
  settings,
  consents,
  participants: Type.Array(participant),
  face: Type.Optional(Type.Object({ width: Type.Number() })),
  endedBy: Type.Optional(OneOf(['SESSION_TIMEOUT', 'PROCESSING_FAILED'])),
  awaits: optionalTexts,
  playedMatching: optionalTexts,
  adjudication: Type.Optional(
    Type.Object({
      answer: Type.Optional(
        Type.Object({ decision: OneOf(['ACCEPT', 'REJECT', 'EXPIRED']), reasons: Type.Array(text) }),
      ),
    }),
  ),
});

const comparison = Type.Object({
  portraitId: text,
  referenceId: text,
  distance: Type.Number(),
  referenceWidth: Type.Number(),
});

const statement = Type.Optional(
  Type.Object({
    all: OneOf(['ALL', 'SOME', 'NONE', 'CONTRADICTED']),
    names: OneOf(['ALL', 'SOME', 'NONE', 'CONTRADICTED']),
  }),
);

/**
 * What the evaluation of an exported case reads of it. Members beyond that are ignored: another
 * version of the suite may have exported it.
 */
export const ExportedCaseSchema = Type.Object({
  policy: Type.Object({ name: text, version: optionalText }),
  createdUnder: Type.Optional(settings),
  statuses: Type.Record(text, text),
  references: Type.Optional(Type.Record(text, text)),
  facts: Type.Object({
    evidences: Type.Array(evidence, { maxItems: MOST_EVIDENCES }),
    consents: Type.Object({ known: consents, deleted: Type.Array(text) }),
    comparisons: Type.Array(comparison),
    agreements: Type.Array(Type.Object({ a: text, b: text, statement, statementWithoutIssuer: statement })),
  }),
});
