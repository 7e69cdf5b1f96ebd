import { errorObject, formatDateTime, present, type VerificationService } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import { openJson, sealingContext, sealJson } from '@assay/sealing';
import type { Connector, SourceReply } from '../clients/connector.ts';
import type { SourceLimiter } from '../clients/source-limiter.ts';
import { answered, type CheckResult, notAskable, notEligible, unavailable } from '../domain/check-result.ts';
import { type CheckedDocument, countryOf, isHealthCard } from '../domain/document.ts';
import { eligibilityOf } from '../domain/eligibility.ts';
import { maintenanceUntil } from '../domain/maintenance.ts';
import { confirmedInPart, type Question, questionOf, shortfallOf } from '../domain/question.ts';
import { plainReference } from '../domain/reference.ts';
import type { Source } from '../domain/source.ts';
import type { Check } from '../store/check.ts';
import type { Trace } from '../store/checks.ts';

/**
 * The result of one attempt at a check. `inconclusive` is the result of the check if no later
 * attempt gives a better one.
 */
export type AttemptResult = Trace & { source?: string } & (
    | { kind: 'DONE'; outcome: CheckResult }
    | { kind: 'NO_ANSWER'; inconclusive: CheckResult }
    | { kind: 'RESTING'; until: Date; inconclusive: CheckResult }
    | { kind: 'BUSY'; inconclusive: CheckResult }
  );

export interface Deps {
  sources: readonly Source[];
  connectors: ReadonlyMap<string, Connector>;
  limiter: SourceLimiter;
  now: Clock;
  questionMs: number;
  /** Whether the maintenance windows of the tables are kept. */
  windows: boolean;
}

/**
 * `mayAsk` is called directly before the question is sent; false if it must not be sent any more.
 */
export type AskSource = (check: Check, key: Buffer, mayAsk: () => Promise<boolean>) => Promise<AttemptResult>;

/** One question, and what came of it. */
interface Put {
  question: Question;
  reply: SourceReply;
  tookMs: number;
}

const serviceOf = (check: Check, source: Source, { question, reply, tookMs }: Put): VerificationService => ({
  serviceName: source.name,
  serviceVersion: source.version,
  serviceRequestId: check._id,
  isTechnicalError: reply.kind === 'OUTAGE',
  responseTimeMS: Math.round(tookMs),
  ...present({ serviceInternalReference: plainReference(reply.reference, question.values) }),
  ...(reply.kind === 'OUTAGE'
    ? { errors: [{ ...errorObject('UPSTREAM'), message: [reply.outage, reply.code].filter(Boolean).join(' ') }] }
    : { raisedIndicators: reply.answer.raised }),
});

const sealedExchangeOf = (check: Check, key: Buffer, at: Date, { sent, received }: SourceReply): string | undefined => {
  const context = sealingContext(check.tenantId, check.identityId, 'exchange');
  return sent === undefined ? undefined : sealJson(key, context, { at: formatDateTime(at), sent, received });
};

const subjectOf = (check: Check, document: CheckedDocument) => ({
  type: check.type === 'ID_DOCUMENT' && !isHealthCard(document) ? document.idDocumentType : check.type,
  mode: check.mode,
  userCategory: check.userCategory,
  country: countryOf(document),
  state: isHealthCard(document) ? undefined : document.issuingState,
});

/**
 * One attempt at a check: finds the source, waits for its limits, and reads its answer. Sends at
 * most one question; the caller must have the lease of the check.
 */
export const createAskSource =
  ({ sources, connectors, limiter, now, questionMs, windows }: Deps): AskSource =>
  async (check, key, mayAsk) => {
    const context = sealingContext(check.tenantId, check.identityId, 'document');
    if (check.sealedDocument === undefined) throw new Error('nothing is kept of what was asked');
    const document = openJson<CheckedDocument>(key, context, check.sealedDocument);
    const subject = subjectOf(check, document);
    const eligible = eligibilityOf(sources, subject);
    if (!eligible.eligible) return { kind: 'DONE', outcome: notEligible() };
    const { source, jurisdiction, fields } = eligible;
    const about = { source: source.name };
    const question = questionOf(source, subject.type, jurisdiction, document);
    const shortfall = shortfallOf(fields, question);
    if (shortfall.missing.length > 0) return { kind: 'DONE', outcome: notAskable(eligible), ...about };
    const inconclusive = unavailable(eligible);
    const until = windows ? maintenanceUntil(source.windows, jurisdiction, now()) : undefined;
    if (until) return { kind: 'RESTING', until, inconclusive, ...about };
    const connector = connectors.get(source.name);
    if (!connector) throw new Error(`no connector for ${source.name}`);

    const asking = { checkId: check._id, tenantId: check.tenantId, question, timeoutMs: questionMs };
    let tookMs = 0;
    const ask = async (): Promise<SourceReply> => {
      const startedAt = performance.now();
      const reply = await connector.ask(asking);
      tookMs = performance.now() - startedAt;
      return reply;
    };
    const limited = await limiter.run({ source: source.name, jurisdiction, limits: source.limits, mayAsk, ask });
    if (limited.kind === 'BUSY') return { kind: 'BUSY', inconclusive, ...about };
    if (limited.kind === 'OPEN') return { kind: 'NO_ANSWER', inconclusive, ...about };
    const { reply } = limited;
    const trace = {
      ...about,
      service: serviceOf(check, source, { question, reply, tookMs }),
      sealedExchange: sealedExchangeOf(check, key, now(), reply),
    };
    if (reply.kind !== 'ANSWER') return { kind: 'NO_ANSWER', inconclusive, ...trace };
    const partly = confirmedInPart(question, reply.answer);
    return { kind: 'DONE', outcome: answered(eligible, shortfall, { ...reply.answer, partly }), ...trace };
  };
