import { createApp, jsonBody, ok, parseBody, reply } from '@assay/http';
import type { Log } from '@assay/runtime';
import type { Express } from 'express';
import { Type } from 'typebox';
import type { Caught } from './messages.ts';

const SmsSchema = Type.Object({ to: Type.String(), text: Type.String(), from: Type.Optional(Type.String()) });

/**
 * The catcher's HTTP side: GET /messages?to= shows what was caught, POST /sms takes a text message,
 * DELETE /messages forgets.
 */
export const createCatcher = ({ caught, log }: { caught: Caught; log: Log }): Express =>
  createApp({
    service: 'mailcatcher',
    log,
    routes: (app) => {
      app.get(
        '/messages',
        reply((request) => {
          const { to } = request.query;
          return ok({ items: caught.list(typeof to === 'string' ? to : undefined) });
        }),
      );
      app.delete(
        '/messages',
        reply(() => {
          caught.empty();
          return { status: 204 };
        }),
      );
      app.post(
        '/sms',
        jsonBody(),
        reply((request) => {
          const { to, text, from = '' } = parseBody(SmsSchema, request.body);
          caught.add({ channel: 'SMS', from, to, subject: '', text });
          return { status: 202, body: { accepted: true } };
        }),
      );
    },
  });
