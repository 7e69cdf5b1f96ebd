import { createApp } from '@assay/http';
import type { Log } from '@assay/runtime';
import express, { type Express } from 'express';
import { createBehaviour, type Treatment } from '../source/behaviour.ts';
import type { Book } from '../source/book.ts';
import { controlRoutes } from '../source/control.ts';
import { magicReply } from '../source/magic.ts';
import { createQuestions } from '../source/questions.ts';
import { plainNumber } from '../source/record.ts';
import { send, type Wire } from '../source/send.ts';
import { type AskedLicence, readRequest } from './request.ts';
import { createTokenDesk } from './tokens.ts';
import { type Matches, verify } from './verify.ts';
import { envelope, fault, soapBody, soapType } from './xml.ts';

const EXCEPTIONS = [
  { id: '0001', text: 'MVA system is unavailable' },
  { id: '0002', text: 'MVA system error' },
  { id: '0047', text: 'MVA did not respond in a timely fashion' },
] as const;

const faultWire = (body: string): Wire => ({ status: 500, type: soapType, body });
const exceptionWire = (nth: number): Wire =>
  faultWire(fault('ProgramException', EXCEPTIONS[(nth + 3) % 4] ?? EXCEPTIONS[0]));

const answerWire = ({ id, originator, destination }: AskedLicence, matches: Matches): Wire => ({
  status: 200,
  type: soapType,
  body: envelope('http://aamva.org/dldv/wsdl/2.1/IDLDVService21/VerifyDriverLicenseDataResponse', {
    VerifyDriverLicenseDataResponse: {
      '@xmlns': 'http://aamva.org/dldv/wsdl/2.1',
      VerifyDriverLicenseDataResult: {
        '@xmlns:x': 'http://aamva.org/niem/extensions/1.0',
        'x:ControlData': {
          'x:MessageAddress': {
            'x:TransactionLocatorId': id,
            'x:MessageOriginatorId': destination,
            'x:MessageDestinationId': originator,
          },
        },
        ...Object.fromEntries(
          Object.entries(matches)
            .filter(([, match]) => match !== undefined)
            .map(([name, match]) => [`x:${name}MatchIndicator`, String(match)]),
        ),
      },
    },
  }),
});

const opposite = (matches: Matches): Matches =>
  matches.DriverLicenseNumber && matches.PersonBirthDate
    ? { DriverLicenseNumber: false }
    : {
        DriverLicenseNumber: true,
        DriverLicenseExpirationDate: true,
        PersonBirthDate: true,
        PersonLastNameExact: true,
        PersonFirstNameExact: true,
      };

/**
 * Numbers of the documented table that stand for a fault or a treatment; else the behaviour in
 * force.
 */
const magicTreatment = (number: string, current: Treatment): Treatment => {
  const [fine, faulty] = [
    { delayMs: 0, nth: 0, wrong: false },
    { delayMs: 0, wrong: false, mode: 'outage' as const },
  ];
  switch (magicReply(plainNumber(number))) {
    case 'SLOW':
      return { ...fine, mode: 'slow', delayMs: 2000 };
    case 'MALFORMED':
      return { ...fine, mode: 'malformed' };
    case 'UNAVAILABLE':
      return { ...faulty, nth: 1 };
    case 'SYSTEM_ERROR':
      return { ...faulty, nth: 2 };
    case 'TIMEOUT':
      return { ...faulty, nth: 3 };
    default:
      return current;
  }
};

/**
 * The simulated motor vehicle administrations: authentication in two steps, verification, and the
 * control side.
 */
export const createAamva = ({ book, log, clientKey }: { book: Book; log: Log; clientKey?: string }): Express => {
  const behaviour = createBehaviour();
  const questions = createQuestions<Matches>();
  const desk = createTokenDesk(clientKey);
  const text = express.text({ type: () => true, limit: '256kb' });
  return createApp({
    service: 'aamva',
    log,
    routes: (app) => {
      controlRoutes(app, { name: 'AAMVA', book, behaviour, questions });
      app.post('/Authentication/Authenticate.svc', text, (request, response) => {
        const xml = String(request.body);
        const answer = desk.answer(xml, soapBody(xml));
        response
          .status(answer.includes('<s:Fault>') ? 500 : 200)
          .set('content-type', soapType)
          .end(answer);
      });
      app.post('/dldv/2.1/online', text, (request, response) => {
        const asked = readRequest(soapBody(String(request.body)));
        const refusal = !asked ? 'InvalidRequest' : desk.accepts(asked.token) ? undefined : 'FailedAuthentication';
        if (!asked || refusal) {
          response
            .status(500)
            .set('content-type', soapType)
            .end(fault(refusal ?? ''));
          return;
        }
        const { matches, spelled } = verify(book, asked);
        const answer = questions.answer(asked.id, spelled, () => matches);
        send(response, magicTreatment(asked.number, behaviour.next(asked.destination)), {
          answer: (wrong) => answerWire(asked, wrong ? opposite(answer) : answer),
          fault: exceptionWire,
        });
      });
    },
  });
};
