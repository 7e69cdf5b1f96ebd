import { withoutEmpty } from '@assay/contracts';
import { jsonBody, ok, parseBody, reply } from '@assay/http';
import express, { type Express } from 'express';
import { Type } from 'typebox';
import { sendPage } from '../page/page.ts';
import { BehaviourSchema, type BehaviourSwitch } from './behaviour.ts';
import type { Book } from './book.ts';
import type { Questions } from './questions.ts';
import { RecordSchema, type SourceRecord } from './record.ts';
import { switches } from './switches.ts';

const RecordsSchema = Type.Array(RecordSchema);
/** One record, or several. As at endpoints 4 and 5, what is null or blank counts as absent. */
const recordsIn = (given: unknown): SourceRecord[] => {
  const body: unknown = withoutEmpty(given);
  return Array.isArray(body) ? parseBody(RecordsSchema, body) : [parseBody(RecordSchema, body)];
};

export interface ControlDeps {
  /** Of the source, as people call it. */
  name: string;
  book: Book;
  behaviour: BehaviourSwitch;
  questions: Pick<Questions<unknown>, 'counts'>;
}

/**
 * The control side of a simulated source (docs/issuing-sources.md): answers at once in every mode.
 */
export const controlRoutes = (app: Express, { name, book, behaviour, questions }: ControlDeps): void => {
  const json = jsonBody({ limit: 4 * 1024 * 1024 });
  app.put(
    '/records',
    json,
    reply((request) => {
      const records = recordsIn(request.body);
      for (const record of records) book.put(record);
      return ok({ records: records.length });
    }),
  );
  app.delete(
    '/records',
    reply(() => {
      book.empty();
      return { status: 204 };
    }),
  );
  app.put(
    '/behaviour',
    json,
    reply((request) => {
      const next = parseBody(BehaviourSchema, request.body, { nullIsAbsent: true });
      behaviour.set(next);
      return ok(next);
    }),
  );
  app.get('/', (_request, response) =>
    sendPage(response, `Simulated issuing source ${name}`, switches(behaviour.current(), questions.counts())),
  );
  app.post(
    '/switch',
    express.urlencoded({ limit: '1kb' }),
    reply((request) => {
      behaviour.set(parseBody(BehaviourSchema, request.body));
      return { status: 303, headers: { location: '/' } };
    }),
  );
  app.get(
    '/requests',
    reply(() => ok(questions.counts())),
  );
};
