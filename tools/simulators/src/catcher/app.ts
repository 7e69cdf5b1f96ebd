import { createApp, jsonBody, ok, parseBody, reply } from '@assay/http';
import type { Log } from '@assay/runtime';
import type { Express } from 'express';
import { Type } from 'typebox';
import { sendPage } from '../page/page.ts';
import { inbox } from './inbox.ts';
import type { Caught } from './messages.ts';

const SmsSchema = Type.Object({ to: Type.String(), text: Type.String(), from: Type.Optional(Type.String()) });

const NOTIFICATION_LIMIT = 1024 * 1024;

/** A notification as it came: its name, and its body laid out. */
const notificationOf = (body: unknown): { subject: string; text: string } => {
  const event = typeof body === 'object' && body !== null && 'event' in body ? String(body.event) : 'no event';
  return { subject: event, text: JSON.stringify(body, null, 2) };
};

/**
 * The catcher's HTTP side: GET / is a page, GET /messages?to= the same for programs, POST /sms
 * takes a text message, POST /webhooks a tenant's notification, DELETE /messages forgets.
 */
export const createCatcher = ({ caught, log }: { caught: Caught; log: Log }): Express =>
  createApp({
    service: 'mailcatcher',
    log,
    routes: (app) => {
      app.get('/', ({ headers }, response) =>
        sendPage(response, 'Caught messages', inbox(caught.list(), String(headers.host ?? ''))),
      );
      app.post(
        '/empty',
        reply(() => {
          caught.empty();
          return { status: 303, headers: { location: '/' } };
        }),
      );
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
        /^\/webhooks(\/|$)/,
        jsonBody({ limit: NOTIFICATION_LIMIT }),
        reply((request) => {
          const from = String(request.headers['user-agent'] ?? '');
          caught.add({ channel: 'WEBHOOK', from, to: request.path, ...notificationOf(request.body) });
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
