import { newId } from '@assay/runtime';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const PORTRAIT = { approved: true, type: 'PORTRAIT' };
const frame = () => ({ Frame: Buffer.from('a frame') });

/** An identity with a session for frames of the person. */
const begun = async () => {
  const { id, at } = await created(acme.rs);
  await acme.rs.post(`${at}/consents`, [PORTRAIT]);
  const { body } = await acme.rs.post(`${at}/attributes/portrait/live-capture-session`, { type: 'LIVENESS_PASSIVE' });
  return { id, at, sessionId: String(body.sessionId), session: `/svc/v1/live-capture-sessions/${body.sessionId}` };
};
const operationsOf = (identityId: string) =>
  rig.published.filter((event) => event.type === 'operation.recorded' && event.identityId === identityId);

describe('a live capture session', () => {
  test('given frames and its end, then the evidence is processed, and the record names each call', async () => {
    const { id, at, session, sessionId } = await begun();
    const taken = await acme.rs.upload(`${session}/frames`, frame());
    expect(taken).toMatchObject({ status: 200, body: { sessionId, frames: 1 } });
    const ended = await acme.rs.post(`${session}/end`, {});
    expect(ended).toMatchObject({ status: 200, body: { type: 'PORTRAIT', id: taken.body.id } });
    expect((await acme.rs.get(`${at}/status/${taken.body.id}`)).body.status).toBe('PROCESSING');
    const { operationIds } = (await rig.stores.identities.read(id))!;
    expect(operationIds.length).toBeGreaterThanOrEqual(4);
    expect(operationsOf(id).length).toBeLessThanOrEqual(operationIds.length);
  });

  test('given the same frames again under one Idempotency-Key, then they are forwarded once', async () => {
    const { session } = await begun();
    const before = rig.asked.frames.taken;
    const key = { 'Idempotency-Key': newId() };
    const answers = [
      await acme.rs.upload(`${session}/frames`, frame(), key),
      await acme.rs.upload(`${session}/frames`, frame(), key),
    ];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(rig.asked.frames.taken - before).toBe(1);
  });

  test('given that the consent was withdrawn, then it accepts nothing more', async () => {
    const { at, session } = await begun();
    await acme.rs.post(`${at}/consents`, [{ ...PORTRAIT, approved: false }]);
    const before = rig.asked.frames.taken;
    const refused = await acme.rs.upload(`${session}/frames`, frame());
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: '3001' }] } });
    expect(rig.asked.frames.taken).toBe(before);
  });

  test('given that its evidence was deleted, then it is no longer found', async () => {
    const { at, session } = await begun();
    const { body } = await acme.rs.upload(`${session}/frames`, frame());
    expect((await acme.rs.delete(`${at}/evidences/${body.id}`)).status).toBe(200);
    expect((await acme.rs.upload(`${session}/frames`, frame())).status).toBe(404);
  });

  test('given a closed identity, then it answers 410 as the identity does, and another tenant does not find it', async () => {
    const { at, session } = await begun();
    expect((await acme.rs.delete(at)).status).toBe(200);
    const answers = [
      await acme.rs.get(at),
      await acme.rs.upload(`${session}/frames`, frame()),
      await acme.rs.post(`${session}/end`, {}),
    ];
    expect(answers.map(({ status, body }) => [status, body.errors[0].code])).toEqual(Array(3).fill([410, '4100']));
    const other = await rig.tenant();
    expect((await other.rs.post(`${session}/end`, {})).status).toBe(404);
  });

  test('of another tenant, or one that does not exist, is not found', async () => {
    const { session } = await begun();
    const other = await rig.tenant();
    const answers = [
      await other.rs.upload(`${session}/frames`, frame()),
      await other.rs.post(`${session}/end`, {}),
      await acme.rs.post(`/svc/v1/live-capture-sessions/${newId()}/end`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('restarts the lifetime of the identity with its frames', async () => {
    const { id, session } = await begun();
    const before = (await rig.stores.identities.read(id))!.expiresAt.getTime();
    await acme.rs.upload(`${session}/frames`, frame());
    expect((await rig.stores.identities.read(id))!.expiresAt.getTime()).toBeGreaterThan(before);
  });
});
