import { randomUUID } from 'node:crypto';
import { licenceText, specimen, type Tenant, type WebhookReceiver, waitFor } from '@assay/testing';

const licence = licenceText({ number: 'T99999999' });

/**
 * Repeats a call whose connection broke, as a client does, under one Idempotency-Key so that it has
 * one effect.
 */
const persistently = (call: (headers: Record<string, string>) => Promise<{ status: number; body: { id: string } }>) => {
  const headers = { 'Idempotency-Key': randomUUID() };
  return waitFor(
    'an answer',
    async () => {
      const answer = await call(headers).catch(() => undefined);
      return answer?.status === 200 && answer;
    },
    60_000,
  );
};

/**
 * A whole flow of a client that repeats what fails: a passport, a text document, a selfie. Waits
 * until every evidence has ended and every webhook has arrived; returns the proof, and whether
 * webhooks were duplicated.
 */
export const persistentFlow = async (tenant: Tenant, receiver: WebhookReceiver) => {
  const { relyingService: api } = tenant;
  const created = await persistently((headers) => api.post('/svc/v1/identities', {}, headers));
  const at = `/svc/v1/identities/${created.body.id}`;
  await persistently((headers) =>
    api.post(
      `${at}/consents`,
      [
        { approved: true, type: 'PORTRAIT' },
        { approved: true, type: 'GIV' },
      ],
      headers,
    ),
  );
  const document = await persistently((headers) =>
    api.upload(`${at}/id-documents/capture`, { DocumentFront: specimen('passport.jpg') }, headers),
  );
  const text = await persistently((headers) => api.post(`${at}/id-documents`, licence, headers));
  const portrait = await persistently((headers) =>
    api.upload(`${at}/attributes/portrait/capture`, { Portrait: specimen('selfie-same.jpg') }, headers),
  );
  const ids = [document.body.id, text.body.id, portrait.body.id];
  const statusOf = async (id: string) => (await api.get(`${at}/status/${id}`).catch(() => undefined))?.body?.status;
  await waitFor('the passport', async () => (await statusOf(ids[0]!)) === 'VERIFIED', 60_000);
  await waitFor('the licence', async () => (await statusOf(ids[1]!)) === 'INVALID', 60_000);
  await waitFor('the portrait', async () => (await statusOf(ids[2]!)) === 'VERIFIED', 60_000);
  for (const id of ids)
    await receiver.next(
      `evaluation of ${id}`,
      ({ body }) => body.evidence?.evidenceId === id && body.evidence.evidenceOperation === 'CREATED',
      30_000,
    );
  const proof = await waitFor(
    'the proof',
    async () => {
      const answer = await api.get(`${at}/proof`).catch(() => undefined);
      return answer?.status === 200 && answer;
    },
    30_000,
  );
  const mine = receiver.received.filter(({ body }) => body.identityId === created.body.id);
  const ofIds = new Map(mine.map(({ headers, raw }) => [headers['webhook-id'], raw.toString()]));
  const created_ = mine.filter(({ body }) => body.evidence?.evidenceOperation === 'CREATED');
  const distinct = new Set(created_.map(({ headers }) => headers['webhook-id']));
  return {
    ids,
    proof,
    distinctCreated: distinct.size,
    repeatsDiffer: mine.some(({ headers, raw }) => ofIds.get(headers['webhook-id']) !== raw.toString()),
  };
};
