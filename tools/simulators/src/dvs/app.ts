import { createApp, jsonBody, parseBody } from '@assay/http';
import { type Log, newId } from '@assay/runtime';
import type { Express, Request, Response } from 'express';
import { Type } from 'typebox';
import { createBehaviour, type Treatment } from '../source/behaviour.ts';
import type { Book } from '../source/book.ts';
import { controlRoutes } from '../source/control.ts';
import { magicReply } from '../source/magic.ts';
import { createQuestions } from '../source/questions.ts';
import { send, type Wire } from '../source/send.ts';
import { type AskedDocument, askedNumber, type ResultCode, verify } from './verify.ts';

const RequestSchema = Type.Object({
  originatingAgencyCode: Type.String(),
  verificationRequestNumber: Type.String({ minLength: 1, maxLength: 64 }),
  consentObtained: Type.Literal(true),
  verificationDocument: Type.Object({ type: Type.String() }, { additionalProperties: Type.String() }),
});

interface Answer {
  activityId: string;
  code: ResultCode;
}

const OPPOSITE: Readonly<Record<ResultCode, ResultCode>> = { Y: 'N', N: 'Y', D: 'Y', S: 'Y' };
const TYPES = /Request$/;

const wire = (number: string, asked: AskedDocument, { activityId, code }: Answer): Wire => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify({
    verificationRequestNumber: number,
    activityId,
    verificationResultCode: code,
    verificationDocumentResult: { type: asked.type.replace(TYPES, 'Response') },
  }),
});

const unavailable: Wire = { status: 503, type: 'application/json', body: '{"error":"temporarily unavailable"}' };

/** A number of the documented table treats its own question; else the behaviour in force does. */
const treatmentOf = (asked: AskedDocument, current: Treatment): Treatment => {
  const magic = magicReply(askedNumber(asked));
  if (magic === 'SLOW') return { mode: 'slow', delayMs: 2000, nth: 0, wrong: false };
  return magic === 'MALFORMED' ? { mode: 'malformed', delayMs: 0, nth: 0, wrong: false } : current;
};

/**
 * The simulated document verification system: one endpoint for questions, the control side beside
 * it.
 */
export const createDvs = ({ book, log }: { book: Book; log: Log }): Express => {
  const behaviour = createBehaviour();
  const questions = createQuestions<Answer>();
  return createApp({
    service: 'dvs',
    log,
    routes: (app) => {
      controlRoutes(app, { name: 'DVS', book, behaviour, questions });
      app.post('/dvs/v1/verifications', jsonBody(), (request: Request, response: Response) => {
        const { verificationRequestNumber: number, verificationDocument } = parseBody(RequestSchema, request.body);
        const asked = verificationDocument as AskedDocument;
        const { code, spelled } = verify(book, asked);
        const answer = questions.answer(number, spelled, () => ({ activityId: newId(), code }));
        send(response, treatmentOf(asked, behaviour.next(asked.stateOfIssue)), {
          answer: (wrong) => wire(number, asked, wrong ? { ...answer, code: OPPOSITE[answer.code] } : answer),
          fault: (nth) => (nth % 2 === 1 ? wire(number, asked, { ...answer, code: 'S' }) : unavailable),
        });
      });
    },
  });
};
