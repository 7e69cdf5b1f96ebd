import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Stage } from './stage.ts';

/** A webhook that arrived at the receiver. */
export interface Webhook {
  webhookId: string;
  /** Where it arrived. */
  url: string;
  body: {
    event: string;
    identityId: string;
    identityStatus: string;
    evidence?: { evidenceId: string; evidenceType: string; evidenceOperation: string };
  };
  text: string;
}

export interface Outsiders {
  webhooks: Webhook[];
  /** The source's answer about the document with a number. */
  sourceReplies: Map<string, 'Y' | 'N'>;
  /** Numbers that the source was asked about and has answered. */
  answered: Set<string>;
  /** The last one-time code sent to each number. */
  codes: Map<string, string>;
  /** Where webhooks go since a moment, in milliseconds. */
  hook: { url: string; since: number };
  /** Whether the receiver of the webhook answers 410. */
  answers410: boolean;
}

interface Listeners {
  onWebhook(one: Webhook): void;
  /** Called when the source is asked about the document with a number. */
  onQuestion(number: string): void;
}

const RECEIVERS = ['10.1.1.1', '10.1.1.2'] as const;
/** The addresses of one webhook, which can move from one to the other. */
export const HOOKS = [`http://${RECEIVERS[0]}/hook`, `http://${RECEIVERS[1]}/hook`] as const;
/** The address of a webhook that is never changed. */
export const SANDBOX_HOOK = `http://${RECEIVERS[0]}/sandbox`;
/** The address of the webhook of transactions that expire soon. */
export const BRIEF_HOOK = `http://${RECEIVERS[0]}/brief`;
const SLOW_MS = 12_000;

/**
 * The answer of a failing party: an error status, no answer for long, or a connection that breaks.
 */
const fails = ({ world }: Stage, request: IncomingMessage, response: ServerResponse): void => {
  const how = world.random.between(0, 3);
  if (how === 0) response.writeHead(500).end();
  else if (how === 1) request.socket.destroy();
  else if (how === 2) setTimeout(() => response.writeHead(200).end('{}'), SLOW_MS);
  else response.writeHead(429, { 'retry-after': '1' }).end();
};

/**
 * The parties outside the suite: a client's receiver of webhooks, an issuing source, and a sender
 * of text messages.
 */
export const startOutsiders = (stage: Stage, { onWebhook, onQuestion }: Listeners): Outsiders => {
  const { world, net, faults } = stage;
  const outsiders: Outsiders = {
    webhooks: [],
    sourceReplies: new Map(),
    answered: new Set(),
    codes: new Map(),
    hook: { url: HOOKS[0], since: 0 },
    answers410: false,
  };

  const serve = (host: string, answer: (text: string, request: IncomingMessage) => string): void => {
    const process = world.start(host);
    const server = createServer((request, response) => {
      buffer(request).then(
        (bytes) => {
          if (outsiders.answers410 && request.url === '/hook') return void response.writeHead(410).end();
          const isFailing = faults.strikes('outsiderFails');
          // A request that seems to fail may have taken effect.
          const reply = !isFailing || world.random.next() < 0.3 ? answer(bytes.toString(), request) : '';
          if (isFailing) fails(stage, request, response);
          else response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
        },
        () => undefined,
      );
    });
    net.serve(host, process, server);
  };

  for (const host of RECEIVERS)
    serve(host, (text, { url, headers }) => {
      const webhookId = String(headers['webhook-id']);
      const one: Webhook = { webhookId, url: `http://${host}${url}`, body: JSON.parse(text), text };
      outsiders.webhooks.push(one);
      onWebhook(one);
      return '{}';
    });
  serve('source', (text) => {
    const { verificationRequestNumber, verificationDocument } = JSON.parse(text);
    const number = String(verificationDocument.travelDocumentNumber);
    onQuestion(number);
    outsiders.answered.add(number);
    return JSON.stringify({
      verificationRequestNumber,
      activityId: 'activity',
      verificationResultCode: outsiders.sourceReplies.get(number) ?? 'N',
    });
  });
  serve('texts', (text) => {
    const message = JSON.parse(text) as { to: string; text: string };
    const [code] = /\d{4,}/.exec(message.text) ?? [];
    if (code !== undefined) outsiders.codes.set(message.to, code);
    return '{}';
  });
  return outsiders;
};
