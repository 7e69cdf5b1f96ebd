import { connect, type Socket } from 'node:net';
import { evidenceSubmitted } from '@assay/contracts';
import { outboxEntry } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { onEvidenceSubmitted } from '../consumers/evidence-submitted.ts';
import { BOUNDS } from '../domain/identity.ts';
import { effectiveSettings, verificationSettings } from '../domain/settings.ts';
import { takeIn } from '../domain/submissions.ts';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  // One key gets half of all uploads. With these, a test reaches the limit of one identity first.
  rig = await startRig({ more: { maxUploads: 256 } });
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const statusOf = async (at: string): Promise<string> => (await acme.rs.get(`${at}/status`)).body.globalStatus.status;
const holdBack = (): (() => void) => {
  let letGo = (): void => undefined;
  rig.asked.hold = new Promise((resolve) => {
    letGo = resolve;
  });
  return () => {
    letGo();
    delete rig.asked.hold;
  };
};
const becomes = (at: string, status: string) =>
  waitFor(`the identity to be ${status}`, async () => (await statusOf(at)) === status, 3000);

/** Begins an upload and leaves it open. */
const beginUpload = (at: string, headers: string[] = [], length = 10_000): Socket => {
  const { hostname, port } = new URL(rig.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    [
      `POST ${at}/id-documents/capture HTTP/1.1`,
      'Host: test',
      `apikey: ${acme.keys.rs}`,
      'Content-Type: multipart/form-data; boundary=B',
      `Content-Length: ${length}`,
      ...headers,
      '',
      '--B\r\nContent-Disposition: form-data; name="DocumentFront"\r\n\r\nsome bytes',
    ].join('\r\n'),
  );
  return socket;
};

describe('an upload that breaks off', () => {
  test.each([
    ['plain', []],
    ['with an Idempotency-Key', ['Idempotency-Key: breaks-off']],
  ])('leaves the identity as it was at once: %s', async (_what, headers) => {
    const { at } = await created(acme.rs);
    const socket = beginUpload(at, headers);
    await becomes(at, 'PROCESSING');
    socket.destroy();
    await becomes(at, 'EXPECTING_INPUT');
    expect((await acme.rs.get(`${at}/status`)).body.singleStatuses).toEqual([]);
    expect((await acme.rs.get(`${at}/proof`)).status).toBe(200);
  });

  test('after all its bytes arrived is completed, though the client has left', async () => {
    const { at } = await created(acme.rs);
    const letGo = holdBack();
    const head = '--B\r\nContent-Disposition: form-data; name="DocumentFront"\r\n\r\nsome bytes';
    const rest = '\r\n--B--\r\n';
    const socket = beginUpload(at, [], head.length + rest.length);
    await becomes(at, 'PROCESSING');
    const uploads = rig.asked.uploads.length;
    socket.end(rest, () => socket.destroy());
    await waitFor('the client to be gone', () => socket.closed);
    expect(await statusOf(at)).toBe('PROCESSING');
    letGo();
    await waitFor('the upload', () => rig.asked.uploads.length > uploads);
    await waitFor('the evidence', async () => (await acme.rs.get(`${at}/status`)).body.singleStatuses.length === 1);
  });

  test('retains its reservation if it repeats one whose outcome is unknown', async () => {
    const { id, at } = await created(acme.rs);
    const key = { 'Idempotency-Key': 'repeated' };
    const send = (bytes: string) =>
      acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from(bytes) }, key);
    const reservedAt = async () => (await rig.stores.identities.read(id))?.reservations[0]?.at.getTime() ?? 0;
    expect((await send('FAIL ME')).status).toBe(503);
    const before = await reservedAt();
    const socket = beginUpload(at, ['Idempotency-Key: repeated']);
    await waitFor('the repetition', async () => (await reservedAt()) > before);
    socket.destroy();
    const seen: string[] = [];
    await waitFor('the key to be free', async () => {
      seen.push(await statusOf(at));
      return (await send('some bytes')).status === 200;
    });
    expect(new Set(seen)).toEqual(new Set(['PROCESSING']));
  });
});

describe('the event of a submission', () => {
  const reservationOf = async (id: string) => (await rig.stores.identities.read(id))?.reservations[0];
  const settings = verificationSettings(effectiveSettings({}), '1');
  const handle = async (id: string, evidenceId = '') => {
    const event = outboxEntry(evidenceSubmitted, {
      ...{ tenantId: acme.tenantId, identityId: id, at: new Date() },
      data: {
        ...{ evidenceId, type: 'ID_DOCUMENT', operation: 'ID_DOCUMENT_CAPTURE' },
        ...{ submitDateTime: '2026-01-01T00:00:00.000', media: [], consents: [], settings },
      },
    });
    await onEvidenceSubmitted({ identities: rig.stores.identities, now: () => new Date() })(event);
  };

  test('that overtakes the answer waits for the request', async () => {
    const { id, at } = await created(acme.rs);
    const letGo = holdBack();
    const answer = acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('some bytes') });
    const { evidenceId } = await waitFor('the reservation', () => reservationOf(id));
    const entered = async () => (await rig.stores.identities.read(id))?.evidences.map((one) => one.evidenceId);
    const handled = handle(id, evidenceId);
    // Changes of one identity run one after the other, so this one runs after the handler's first
    // look.
    await rig.stores.identities.change(id, () => undefined, { now: new Date() });
    expect(await entered()).toEqual([]);
    letGo();
    expect((await answer).status).toBe(200);
    expect(await entered()).toEqual([evidenceId]);
    await handled;
    expect(await entered()).toEqual([evidenceId]);
  });

  test('adds the evidence in time if the request never learns its outcome', async () => {
    const { id, at } = await created(acme.rs);
    const failing = acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('FAIL ME') });
    expect((await failing).status).toBe(503);
    const evidenceId = (await reservationOf(id))?.evidenceId;
    await handle(id, evidenceId);
    expect((await acme.rs.get(`${at}/status`)).body.singleStatuses).toEqual([
      expect.objectContaining({ id: evidenceId, status: 'PROCESSING' }),
    ]);
    expect(await reservationOf(id)).toBeUndefined();
  });

  test('given a proof that is built without it, then that build is given up and the evidence added', async () => {
    const { id, at } = await created(acme.rs);
    const letGo = holdBack();
    const proof = acme.rs.get(`${at}/proof`);
    await waitFor('the build', async () => (await rig.stores.identities.read(id))?.state === 'PROVING');
    await handle(id, newId());
    expect(await statusOf(at)).toBe('PROCESSING');
    letGo();
    const given = await proof;
    expect(given).toMatchObject({ status: 503, body: { errors: [{ code: '5031' }] } });
    expect(given.headers.get('retry-after')).toBe('1');
    expect((await acme.rs.get(`${at}/proof`)).status).toBe(403);
  });

  test('given a proof that is built, then it is not added: the proof ends the identity', async () => {
    const { id } = await created(acme.rs);
    const built = { bytes: 1, filename: 'x.zip', graceSeconds: 60, graceUntil: new Date(Date.now() + 60_000) };
    const proof = { proofId: newId(), tenantRole: 'RELYING_SERVICE', leaseUntil: new Date(), built };
    await rig.stores.identities.model.collection.updateOne({ _id: id } as never, {
      $set: { state: 'PROVING', proof },
      $inc: { revision: 1 },
    });
    await expect(handle(id, newId())).rejects.toThrow('a proof is being downloaded');
    expect((await rig.stores.identities.read(id))?.evidences).toEqual([]);
  });
});

describe('a repeat whose consent was deleted since, of a submission whose outcome is unknown', () => {
  const key = { 'Idempotency-Key': 'outlives-its-consent' };
  const send = (at: string, bytes = 'some bytes') =>
    acme.rs.upload(`${at}/attributes/portrait/capture`, { Portrait: Buffer.from(bytes) }, key);
  const withoutConsent = async () => {
    const made = await created(acme.rs);
    const [consent] = (await acme.rs.post(`${made.at}/consents`, [{ approved: true, type: 'PORTRAIT' }])).body;
    expect((await send(made.at, 'FAIL ME')).status).toBe(503);
    expect((await acme.rs.delete(`${made.at}/consents/${consent.consentId}`)).status).toBe(200);
    return made;
  };
  afterEach(() => {
    delete rig.asked.isStored;
  });

  test('is answered with the evidence that was stored', async () => {
    const { id, at } = await withoutConsent();
    const reserved = (await rig.stores.identities.read(id))?.reservations[0]?.evidenceId;
    expect(await send(at)).toMatchObject({ status: 200, body: { id: reserved } });
    expect((await acme.rs.get(`${at}/status`)).body.singleStatuses).toMatchObject([{ id: reserved }]);
  });

  test('is refused if nothing was stored, and not before the earlier request has ended', async () => {
    const { id, at } = await withoutConsent();
    rig.asked.isStored = () => false;
    expect((await send(at)).status).toBe(503);
    await rig.stores.identities.model.collection.updateOne({ _id: id } as never, {
      $set: { 'reservations.0.leaseUntil': new Date(0) },
      $inc: { revision: 1 },
    });
    expect(await send(at)).toMatchObject({ status: 403, body: { errors: [{ code: '3001' }] } });
    expect((await acme.rs.get(`${at}/status`)).body.singleStatuses).toEqual([]);
  });

  test('needs it no longer where the event of the submission came before', async () => {
    const { id, at } = await withoutConsent();
    rig.asked.isStored = () => false;
    const evidenceId = (await rig.stores.identities.read(id))?.reservations[0]?.evidenceId ?? '';
    const { identities } = rig.stores;
    const stored = { evidenceId, type: 'PORTRAIT', operation: 'PORTRAIT_CAPTURE' } as const;
    const taken = { ...stored, submitDateTime: '2026-01-01T00:00:00.000' };
    await identities.change(id, (current) => takeIn(current, taken, new Date()), { now: new Date() });
    expect(await send(at)).toMatchObject({ status: 200, body: { id: evidenceId } });
  });
});

describe('submissions at once to one identity', () => {
  test.each([16, 32])('%i: none fails, and a refused one is not stored', async (submissions) => {
    const { at } = await created(acme.rs);
    const answers = await Promise.all(
      Array.from({ length: submissions }, () =>
        acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('some bytes') }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, headers } of refused) {
      expect([409, 429, 503]).toContain(status);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    const accepted = answers.filter(({ status }) => status === 200).map(({ body }) => body.id);
    const { singleStatuses } = (await acme.rs.get(`${at}/status`)).body;
    expect(singleStatuses.map(({ id }: { id: string }) => id).sort()).toEqual(accepted.sort());
    expect(accepted.length).toBeGreaterThanOrEqual(16);
  });

  test('beyond a bound are refused with Retry-After before anything is stored', async () => {
    const { at } = await created(acme.rs);
    const letGo = holdBack();
    const before = rig.asked.submissions.length + rig.asked.uploads.length;
    const sent = Array.from({ length: 40 }, () =>
      acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('some bytes') }),
    );
    const refused = await Promise.race(sent);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    letGo();
    const accepted = (await Promise.all(sent)).filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(32);
    expect(rig.asked.submissions.length + rig.asked.uploads.length - before).toBe(32);
  });
});

test('an identity with the most operations refuses calls that add, and accepts calls that withdraw, delete or close', async () => {
  const { id, at } = await created(acme.rs);
  const [consent] = (await acme.rs.post(`${at}/consents`, [{ approved: true, type: 'PORTRAIT' }])).body;
  const start = { type: 'LIVENESS_PASSIVE' };
  const { body } = await acme.rs.post(`${at}/attributes/portrait/live-capture-session`, start);
  const session = `/svc/v1/live-capture-sessions/${body.sessionId}`;
  const frame = { Frame: Buffer.from('a frame') };
  expect((await acme.rs.upload(`${session}/frames`, frame)).status).toBe(200);

  const operationIds = Array.from({ length: BOUNDS.operations }, (_, nth) => `operation-${nth}`);
  const identities = rig.stores.identities.model.collection;
  await identities.updateOne({ _id: id } as never, { $set: { operationIds }, $inc: { revision: 1 } });
  const taken = rig.asked.frames.begun;
  const adding = [
    await acme.rs.upload(`${session}/frames`, frame),
    await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('some bytes') }),
    await acme.rs.post(`${at}/consents`, [{ approved: true, type: 'GIV' }]),
    await acme.rs.post(`${at}/attributes/portrait/live-capture-session`, start),
  ];
  expect(adding.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  expect(rig.asked.frames.begun).toBe(taken);

  expect((await acme.rs.delete(`${at}/consents/${consent.consentId}`)).status).toBeLessThan(300);
  expect((await acme.rs.post(`${session}/end`)).status).toBe(200);
});
