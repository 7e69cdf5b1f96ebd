import { type ChipAuthenticationState, checkChipAnswer } from '@assay/chip';
import { createAuthority, createChip } from '@assay/chip/software';
import type { ChipSubmission, Consent } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { mediaContext, openBytes, openJson, sealingContext, unwrapKey } from '@assay/sealing';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anIdentity, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const chip = createChip(createAuthority(), {
  passport: {
    documentNumber: 'L898902C3',
    surname: 'ERIKSSON',
    givenNames: 'ANNA MARIA',
    dateOfBirth: '1974-08-12',
    gender: 'FEMALE',
    dateOfExpiry: '2032-04-15',
  },
  now: new Date(),
  activeAuthentication: 'ECDSA',
  chipAuthentication: 'ECDH',
});
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const dataGroups = Object.fromEntries(
  Object.entries(chip.dataGroups).map(([number, bytes]) => [number, base64(bytes)]),
);
const read = { documentSecurityObject: base64(chip.documentSecurityObject), dataGroups };
const portraitConsent: Consent = { consentId: newId(), type: 'PORTRAIT', approved: true };

const start = async (body: object = {}, more = {}) => {
  const identity = anIdentity();
  const granted = identity.claims({ operation: 'EVIDENCE_NFC_VERIFICATION', ...more });
  rig.granted.set(identity.identityId, granted);
  const post = (path: string, sent: object) =>
    rig.call(
      'POST',
      path,
      identity.claims({ ...granted, ...{ batchId: newId() } }),
      Buffer.from(JSON.stringify(sent)),
      {
        'content-type': 'application/json',
      },
    );
  const answer = await rig.call('POST', '/nfc-sessions', granted, Buffer.from(JSON.stringify(body)), {
    'content-type': 'application/json',
  });
  return { ...identity, granted, answer, post, path: `/nfc-sessions/${String(answer.body.sessionId)}` };
};
const AT = '2026-01-01T00:00:00.000';
const evaluated = (evidenceId: string) => ({
  caseRevision: 1,
  policy: { name: 'default', version: '1' },
  identity: { levelOfAssurance: 'LOA0', evaluationDateTime: AT, upgradePaths: {} },
  evidences: [
    {
      evidenceId,
      evidenceRevision: 1,
      type: 'PASSPORT',
      status: 'NOT_VERIFIED',
      isAdjudicable: false,
      evaluationDateTime: AT,
      positiveIndicators: [],
      warningIndicators: [],
      unverifiedIndicators: [],
      changed: true,
      proof: {
        progress: 'DONE',
        verificationDetails: [],
        evaluationDetails: { evaluationDateTime: AT, evidences: [] },
        crops: [],
      },
    },
  ],
});
const eventOf = (evidenceId: string | undefined) =>
  waitFor('evidence.submitted', () => rig.published.find(({ data }) => data.evidenceId === evidenceId));

describe('a session in which a chip is read', () => {
  test('has a challenge of its own, and ends after five minutes at the latest', async () => {
    const before = Date.now();
    const [one, other] = [await start({ idDocumentType: 'PASSPORT' }), await start()];
    expect(one.answer).toMatchObject({
      status: 200,
      body: { type: 'PASSPORT', dataGroups: [1, 2, 7, 11, 12, 13, 14, 15] },
    });
    expect(other.answer.body.type).toBe('ID_DOCUMENT');
    for (const idDocumentType of ['ID_DOCUMENT', 'UNKNOWN'])
      expect((await start({ idDocumentType })).answer).toMatchObject({ status: 200, body: { type: 'ID_DOCUMENT' } });
    const challenge = String(one.answer.body.activeAuthenticationChallenge);
    expect(Buffer.from(challenge, 'base64')).toHaveLength(8);
    expect(challenge).not.toBe(other.answer.body.activeAuthenticationChallenge);
    const seconds = (Date.parse(`${String(one.answer.body.expireAt)}Z`) - before) / 1000;
    expect(seconds).toBeGreaterThan(299);
    expect(seconds).toBeLessThan(310);
  });

  test('submits every file as it was sent, the challenge and the answers, once', async () => {
    const { answer, granted, path, post, key, identityId } = await start({}, { consents: [portraitConsent] });
    const begun = await post(`${path}/chip-authentication`, { dataGroup14: dataGroups[14] });
    expect(begun).toMatchObject({ status: 200, body: { protocol: expect.stringMatching(/^[\d.]+$/) } });
    const terminalPublicKey = Buffer.from(String(begun.body.terminalPublicKey), 'base64');
    const response = chip.answerCommand({
      terminalPublicKey,
      command: Buffer.from(String(begun.body.command), 'base64'),
    })!;
    const challenge = Buffer.from(String(answer.body.activeAuthenticationChallenge), 'base64');
    const activeAuthenticationResponse = base64(chip.answerChallenge(challenge)!);
    const chipAuthentication = { response: base64(response) };
    const brought = await post(`${path}/data`, { ...read, activeAuthenticationResponse, chipAuthentication });
    expect(brought.status).toBe(200);
    const { data } = await eventOf(granted.evidenceId);
    const media = data.media as { name: string; mediaId: string; role: string }[];
    expect(media.map(({ name }) => name).sort()).toEqual(
      [
        ...['sod', 'challenge', 'active-authentication'],
        ...['key', 'command', 'response'].map((part) => `chip-authentication-${part}`),
        ...Object.keys(dataGroups).map((number) => `dg${number}`),
      ]
        .map((name) => `${name}.bin`)
        .concat('session.json')
        .sort(),
    );
    for (const { name, mediaId } of media.filter(({ name: one }) => one.startsWith('dg'))) {
      const { bytes } = await rig.call('GET', `/media/${mediaId}`, granted);
      expect(base64(bytes)).toBe(dataGroups[name.slice(2, -4)]);
    }
    const bytesOf = async (name: string) =>
      base64((await rig.call('GET', `/media/${media.find((one) => one.name === name)!.mediaId}`, granted)).bytes);
    expect(await bytesOf('challenge.bin')).toBe(answer.body.activeAuthenticationChallenge);
    expect(await bytesOf('active-authentication.bin')).toBe(activeAuthenticationResponse);
    expect(await bytesOf('chip-authentication-key.bin')).toBe(begun.body.terminalPublicKey);
    expect(await bytesOf('chip-authentication-response.bin')).toBe(base64(response));
    const shown = await rig.call(
      'GET',
      `/media/${media.find(({ name }) => name === 'session.json')!.mediaId}`,
      granted,
    );
    expect(JSON.parse(shown.bytes.toString())).toMatchObject({
      activeAuthenticationChallenge: answer.body.activeAuthenticationChallenge,
      chipAuthentication: { ...begun.body, response: base64(response) },
    });
    expect(shown.bytes.toString()).not.toContain('macKey');
    const context = sealingContext(String(granted.tenantId), identityId, 'submission');
    const { chip: sealed } = openJson<{ chip: { chipAuthentication: { state: object } } }>(
      key,
      context,
      String(data.sealedSubmission),
    );
    expect(sealed.chipAuthentication.state).toHaveProperty('macKey');
    expect((await post(`${path}/data`, read)).status).toBe(409);
    expect((await post(`${path}/chip-authentication`, { dataGroup14: dataGroups[14] })).status).toBe(409);
  });

  test('begins chip authentication once for each call, also where attempts at it run at once', async () => {
    const { path, granted, identityId, post, ...identity } = await start();
    const begin = (batchId: string) => {
      const sent = Buffer.from(JSON.stringify({ dataGroup14: dataGroups[14] }));
      const type = { 'content-type': 'application/json' };
      return rig.call('POST', `${path}/chip-authentication`, identity.claims({ ...granted, batchId }), sent, type);
    };
    // Given attempts at one call, the first of which may end last
    const call = newId();
    const attempts = await Promise.all([begin(call), begin(call), begin(call)]);
    const keys = attempts.map(({ body }) => body.terminalPublicKey);
    // Then they have one answer; another call replaces the key, and a repeat of that one nothing
    expect(new Set(keys).size).toBe(1);
    const other = newId();
    const again = await begin(other);
    expect(again.body.terminalPublicKey).not.toBe(keys[0]);
    expect((await begin(other)).body).toEqual(again.body);
    // And the chip's answer to the key that was answered last is right
    const response = chip.answerCommand({
      terminalPublicKey: Buffer.from(String(again.body.terminalPublicKey), 'base64'),
      command: Buffer.from(String(again.body.command), 'base64'),
    })!;
    const data = await post(`${path}/data`, { ...read, chipAuthentication: { response: base64(response) } });
    expect(data.status).toBe(200);
    const { data: event } = await eventOf(granted.evidenceId);
    const context = sealingContext(String(granted.tenantId), identityId, 'submission');
    const { chip: sealed } = openJson<{ chip: ChipSubmission }>(identity.key, context, String(event.sealedSubmission));
    expect(checkChipAnswer(sealed.chipAuthentication?.state as ChipAuthenticationState, response)).toBe(true);
  });

  test('stores the reading in one sealed document, and gives it to the services that check and archive it', async () => {
    const { path, post, granted, identityId, key } = await start({}, { consents: [portraitConsent] });
    const before = await rig.stored();
    expect((await post(`${path}/data`, read)).status).toBe(200);
    expect(await rig.stored()).toEqual({ ...before, media: before.media + 1 });
    const { data } = await eventOf(granted.evidenceId);
    const media = data.media as { name: string; mediaId: string; sha256: string }[];
    const files = await rig.call('GET', `/evidences/${granted.evidenceId}/chip-files`, granted);
    const sod = media.find(({ name }) => name === 'sod.bin')!;
    expect(files.body[sod.mediaId]).toBe(read.documentSecurityObject);
    expect(Object.keys(files.body).sort()).toEqual(media.map(({ mediaId }) => mediaId).sort());
    const [stored] = await rig.mongodb.connection.collection('media').find({ identityId }).toArray();
    expect(stored!.content.buffer.includes(chip.documentSecurityObject.subarray(0, 24))).toBe(false);
    const archive = `/archives/${newId()}/media`;
    const ids = media.map(({ mediaId }) => mediaId);
    const retained = await rig.call('PUT', archive, granted, Buffer.from(JSON.stringify({ mediaIds: ids })), {
      'content-type': 'application/json',
    });
    const retainedFiles = retained.body as unknown as { mediaId: string; wrappedKey: string }[];
    expect(retainedFiles.map(({ mediaId }) => mediaId).sort()).toEqual(ids.toSorted());
    const context = mediaContext(String(granted.tenantId), identityId, sod.mediaId);
    const own = unwrapKey(key, retainedFiles.find(({ mediaId }) => mediaId === sod.mediaId)!.wrappedKey, context);
    const sealed = await rig.call('GET', `${archive}/${sod.mediaId}`, granted);
    expect(base64(openBytes(own, context, sealed.bytes))).toBe(read.documentSecurityObject);
    const beside = Buffer.from(JSON.stringify({ mediaIds: [...ids, `${sod.mediaId.slice(0, -2)}-99`] }));
    const refused = await rig.call('PUT', archive, granted, beside, { 'content-type': 'application/json' });
    expect(refused.status).toBe(404);
    expect((await rig.call('GET', `/media/${sod.mediaId.slice(0, 36)}`, granted)).status).toBe(404);
  });

  test('stores the JPEG in data group 2 with the files, as a crop that only its evaluation makes one', async () => {
    const { path, post, granted, identityId, key } = await start({}, { consents: [portraitConsent] });
    await post(`${path}/data`, read);
    const { data } = await eventOf(granted.evidenceId);
    const media = data.media as { name: string; mediaId: string; role: string }[];
    expect(media.filter(({ role }) => role !== 'CHIP')).toEqual([]);
    const context = sealingContext(String(granted.tenantId), identityId, 'submission');
    const { chip: submitted } = openJson<{ chip: ChipSubmission }>(key, context, String(data.sealedSubmission));
    const { mediaId, at } = submitted.portrait!;
    const dataGroup2 = Buffer.from(chip.dataGroups[2]!);
    const crop = await rig.call('GET', `/media/${mediaId}`, granted);
    expect(crop.bytes.equals(dataGroup2.subarray(at))).toBe(true);
    expect(crop.bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const files = await rig.call('GET', `/evidences/${granted.evidenceId}/chip-files`, granted);
    expect(Object.keys(files.body)).not.toContain(mediaId);
    const listed = await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted);
    const crops = (listed.body as unknown as typeof media).filter(({ role }) => role === 'CROP');
    const original = media.find(({ name }) => name === 'dg2.bin')!.mediaId;
    expect(crops).toMatchObject([{ mediaId, originalMediaId: original, contentType: 'image/jpeg' }]);
  });

  test('stores no crop of a portrait that must not stay, or that does not end with its JPEG', async () => {
    const submit = async (consents: Consent[], sent: object) => {
      const { path, post, granted, identityId, key } = await start({}, { consents });
      await post(`${path}/data`, sent);
      const { data } = await eventOf(granted.evidenceId);
      const context = sealingContext(String(granted.tenantId), identityId, 'submission');
      return openJson<{ chip: ChipSubmission }>(key, context, String(data.sealedSubmission)).chip;
    };
    expect(await submit([], read)).not.toHaveProperty('portrait');
    const longer = base64(Buffer.concat([Buffer.from(chip.dataGroups[2]!), Buffer.from([0x80, 0])]));
    const sent = { ...read, dataGroups: { ...dataGroups, 2: longer } };
    expect(await submit([portraitConsent], sent)).not.toHaveProperty('portrait');
  });

  test('gives the files to the worker once without asking the database, unless they were removed', async () => {
    const stored = rig.mongodb.connection.collection('media');
    const { path, post, granted, identityId } = await start({}, { consents: [portraitConsent] });
    const ask = (by = granted) => rig.call('GET', `/evidences/${granted.evidenceId}/chip-files`, by);
    await post(`${path}/data`, read);
    await stored.updateMany({ identityId }, { $set: { role: 'FRAME' } });
    expect((await ask(anIdentity().claims({}))).status).toBe(404);
    const files = await ask();
    expect(Object.values(files.body)).toEqual(expect.arrayContaining(Object.values(dataGroups)));
    expect((await ask()).status).toBe(404);

    const other = await start({}, { consents: [portraitConsent] });
    await other.post(`${other.path}/data`, read);
    await rig.publish('identity.closed', other.identityId, {
      reason: 'DELETED',
      closedAt: '2026-01-01T00:00:00.000',
      forgetAt: '2099-01-01T00:00:00.000',
    });
    await waitFor('purged', async () => (await stored.countDocuments({ identityId: other.identityId })) === 0);
    const after = await rig.call('GET', `/evidences/${other.granted.evidenceId}/chip-files`, other.granted);
    expect(after.status).toBe(404);
  });

  test('is read as the gateway reads it: a member that is null or blank counts as absent', async () => {
    const { path, post } = await start({});
    const sent = { ...read, comFile: null, reader: { application: ' ' }, errors: null };
    expect((await post(`${path}/data`, sent)).status).toBe(200);
  });

  test('stores nothing of a reading that the session did not accept', async () => {
    const { path, post, granted, identityId } = await start({});
    const media = rig.mongodb.connection.collection('media');
    const [taken, other] = await Promise.all([post(`${path}/data`, read), post(`${path}/data`, read)]);
    expect([taken.status, other.status].sort()).toEqual([200, 409]);
    // The reading, and its portrait, which is stored until its hash was checked.
    await waitFor('one reading', async () => (await media.countDocuments({ identityId })) === 2);
    await eventOf(granted.evidenceId);
  });

  test('repeats its first answer to the same call', async () => {
    const { granted, path, identityId } = await start();
    const again = { ...granted, batchId: newId() };
    const bring = () =>
      rig.call('POST', `${path}/data`, again, Buffer.from(JSON.stringify(read)), {
        'content-type': 'application/json',
      });
    expect((await bring()).status).toBe(200);
    expect((await bring()).status).toBe(200);
    expect(rig.published.filter((event) => event.identityId === identityId).length).toBeLessThanOrEqual(1);
  });

  test.each([
    ['documentSecurityObject', { dataGroups }],
    ['dataGroups.1', { ...read, dataGroups: { 2: dataGroups[2] } }],
    ['dataGroups.3', { ...read, dataGroups: { ...dataGroups, 3: 'AAAA' } }],
    ['dataGroups.4', { ...read, dataGroups: { ...dataGroups, 4: 'AAAA' } }],
    ['dataGroups.17', { ...read, dataGroups: { ...dataGroups, 17: 'AAAA' } }],
    ['documentSecurityObject', { ...read, documentSecurityObject: 'no base64!' }],
  ])('refuses %s and stores nothing', async (field, body) => {
    const { post, path, granted } = await start();
    const before = await rig.stored();
    expect(await post(`${path}/data`, body)).toMatchObject({
      status: 400,
      body: { errors: [{ code: '1006', field, message: expect.stringMatching(/^(is|must) /) }] },
    });
    expect(await rig.stored()).toEqual(before);
    expect((await post(`${path}/data`, read)).status).toBe(200);
    await eventOf(granted.evidenceId);
  });

  test('refuses a data group 14 without a protocol that we support', async () => {
    const { post, path } = await start();
    expect(await post(`${path}/chip-authentication`, { dataGroup14: dataGroups[1] })).toMatchObject({
      status: 400,
      body: { errors: [{ code: '1006', field: 'dataGroup14' }] },
    });
  });

  test.each([
    { by: 'this release', former: false },
    { by: 'a former one', former: true },
  ])('drops the portrait without consent, once its hash was checked; accepted by $by', async ({ former }) => {
    const { post, path, granted, identityId } = await start();
    expect((await post(`${path}/data`, read)).status).toBe(200);
    const evidences = rig.mongodb.connection.collection('evidences');
    if (former) await evidences.updateOne({ identityId }, { $unset: { 'session.unattached': 1 } });
    const { data } = await eventOf(granted.evidenceId);
    expect((data.media as { name: string }[]).map(({ name }) => name)).not.toContain('dg2.bin');
    const listed = await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted);
    expect((listed.body as unknown as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['dg1.bin']),
    );
    expect(JSON.stringify(listed.body)).not.toContain('dg2.bin');
    const readings = (name: string) =>
      rig.mongodb.connection.collection('media').countDocuments({ identityId, 'files.name': name });
    const portraits = () => readings('dg2.bin');
    expect(await portraits()).toBe(1);
    const { body: files } = await rig.call('GET', `/evidences/${granted.evidenceId}/chip-files`, granted);
    expect(Object.values(files)).toContain(dataGroups[2]);
    await rig.publish('evidence.evaluated', identityId, evaluated(String(granted.evidenceId)));
    await waitFor('the portrait is dropped', async () => (await portraits()) === 0);
    expect(await readings('dg1.bin')).toBe(1);
  });

  test('has the portrait without consent until its hash is checked, however late the worker is', async () => {
    const { post, path, granted, identityId } = await start();
    expect((await post(`${path}/data`, read)).status).toBe(200);
    await eventOf(granted.evidenceId);
    const media = rig.mongodb.connection.collection('media');
    const due = () => media.countDocuments({ identityId, orphanAt: { $lte: new Date() } });
    const swept = async () => {
      await media.updateMany({ identityId }, { $set: { orphanAt: new Date(0) } });
      await waitFor('the sweep', async () => (await due()) === 0);
    };
    await swept();
    const { body: files } = await rig.call('GET', `/evidences/${granted.evidenceId}/chip-files`, granted);
    expect(Object.values(files)).toEqual(expect.arrayContaining([dataGroups[1], dataGroups[2]]));
    // A process that ended between the record of the evaluation and the removal of the portrait.
    await rig.mongodb.connection.collection('evidences').updateOne({ identityId }, { $unset: { reissueAt: 1 } });
    await swept();
    expect(await media.countDocuments({ identityId, 'files.name': 'dg2.bin' })).toBe(0);
    expect(await media.countDocuments({ identityId, 'files.name': 'dg1.bin' })).toBe(1);
  });

  test('ends when the reader gives up, and when its time is over', async () => {
    for (const nothing of [{}, { dataGroups: {} }]) {
      const gaveUp = await start();
      const sent = { errors: [{ code: 'TAG_LOST' }], ...nothing };
      expect((await gaveUp.post(`${gaveUp.path}/data`, sent)).status).toBe(200);
      expect((await eventOf(gaveUp.granted.evidenceId)).data).not.toHaveProperty('endWith');
    }
    const late = await start({}, { sessionTimeoutSeconds: 1 });
    expect((await eventOf(late.granted.evidenceId)).data).toMatchObject({ endWith: 'SESSION_TIMEOUT', media: [] });
    expect((await late.post(`${late.path}/data`, read)).status).toBe(409);
    // The sweep has just run, and looks for sessions of other processes in ten seconds only.
    const next = await start({}, { sessionTimeoutSeconds: 1 });
    const startedAt = performance.now();
    expect((await eventOf(next.granted.evidenceId)).data).toMatchObject({ endWith: 'SESSION_TIMEOUT' });
    expect(performance.now() - startedAt).toBeLessThan(8000);
    expect((await late.post('/nfc-sessions/none-of-these-sessions-1/data', read)).status).toBe(404);
  });
});
