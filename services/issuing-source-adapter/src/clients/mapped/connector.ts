import { present } from '@assay/contracts';
import { fillBody, fillText, type MappedSource, readMapped, type Substitutes } from '../../domain/mapping.ts';
import type { Asking, Connector } from '../connector.ts';
import type { Credentials, CredentialsOf } from '../credentials.ts';
import { type Exchange, outageOfStatus } from '../exchange.ts';
import { readJson } from '../json.ts';

export interface MappedOptions {
  source: MappedSource;
  exchange: Exchange;
  credentials: CredentialsOf;
}

const substitutes = ({ checkId, question }: Asking, known: Credentials): Substitutes => ({
  ...question.values,
  checkId,
  type: question.type,
  country: question.country,
  jurisdiction: question.jurisdiction,
  ...Object.fromEntries(Object.entries(known).map(([name, value]) => [`credentials.${name}`, value])),
});

/** Whoever asks for a whole record may get its picture with it. */
const LARGEST_REPLY = 256 * 1024;

/**
 * Whether a value became a step of dots: it leads to another path of the source, with its
 * credentials, and no encoding keeps it from doing so.
 */
const leadsElsewhere = (address: string): boolean =>
  address.split(/[/?#]/).some((step) => step === '.' || step === '..');

// Only values of the question need encoding: what credentials put into an address is the
// operator's.
const filledUrl = (url: string, values: Substitutes, known: Credentials): string =>
  fillText(
    url.replace(/\{\{credentials\.(\w+)\}\}/g, (_all, name: string) => known[name] ?? ''),
    values,
    encodeURIComponent,
  );

const withoutSecrets = (text: string, known: Credentials): string =>
  Object.values(known).reduce((left, secret) => (secret ? left.replaceAll(secret, '') : left), text);

/** Whether every answer says which check it is about: one that is a mere status does not. */
const repeatsTheQuestion = ({ reply }: MappedSource): boolean =>
  reply.echo !== undefined && Object.keys(reply.statuses ?? {}).length === 0;

/** Any source that speaks JSON over HTTP, by its mapping file. */
export const createMappedConnector = ({ source, exchange, credentials }: MappedOptions): Connector => ({
  ask: async (asking) => {
    const known = credentials(source.name, asking.tenantId);
    if (!known) return { kind: 'OUTAGE', outage: 'REFUSED', code: 'NO_CREDENTIALS' };
    const values = substitutes(asking, known);
    const { method, url, headers = {}, body } = source.request;
    const filled = body === undefined ? undefined : JSON.stringify(fillBody(body, values));
    const address = filledUrl(url, values, known);
    if (leadsElsewhere(address)) return { kind: 'OUTAGE', outage: 'UNREADABLE', code: 'STEP_OF_DOTS' };
    const reply = await exchange({
      method,
      url: address,
      headers: {
        accept: 'application/json',
        ...(filled === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fillText(text, values)])),
      },
      ...present({ body: filled }),
      timeoutMs: asking.timeoutMs,
      largestReply: LARGEST_REPLY,
      isAlone: !repeatsTheQuestion(source),
    });
    const sent = withoutSecrets(filled ?? address, known);
    if (reply.kind === 'OUTAGE') return { ...reply, sent };
    const about = { sent, received: reply.body };
    const known200 = reply.status === 200 || source.reply.statuses?.[String(reply.status)] !== undefined;
    if (!known200)
      return { kind: 'OUTAGE', outage: outageOfStatus(reply.status), code: `HTTP_${reply.status}`, ...about };
    return {
      ...readMapped(source, reply.status, readJson(reply.body), {
        checkId: asking.checkId,
        values: asking.question.values,
      }),
      ...about,
    };
  },
});
