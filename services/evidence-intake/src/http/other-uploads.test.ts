import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { part, upload } from '../testing/forms.ts';
import { anIdentity, anImage, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let front: Buffer;
beforeAll(async () => {
  rig = await startRig({ maxUploads: 1 });
  front = await anImage(320, 200);
});
afterAll(() => rig.close());

describe('other uploads', () => {
  test('a portrait and a portrait reference', async () => {
    const portrait = await upload(rig, anIdentity().claims({ operation: 'PORTRAIT_CAPTURE' }), [
      part('Portrait', front),
    ]);
    expect(portrait.body).toMatchObject({ type: 'PORTRAIT', media: [{ role: 'PORTRAIT' }] });
    const reference = await upload(rig, anIdentity().claims({ operation: 'PORTRAIT_REFERENCE' }), [
      part('Portrait', front),
    ]);
    expect(reference.body).toMatchObject({ type: 'PORTRAIT_REFERENCE' });
    const none = await upload(rig, anIdentity().claims({ operation: 'PORTRAIT_CAPTURE' }), []);
    expect(none).toMatchObject({
      status: 400,
      body: { errors: [{ code: '1006', field: 'Portrait', message: 'the part Portrait is missing' }] },
    });
  });

  test('additional files with their metadata', async () => {
    const claims = anIdentity().claims({ operation: 'ADDITIONAL_FILE' });
    const metadata = part('Metadata', '[{"key":"k","value":"v"}]', undefined, 'application/json');
    const answer = await upload(rig, claims, [
      part('File', 'text', 'a.txt'),
      metadata,
      part('File', '%PDF-1.7\n', 'b.pdf'),
    ]);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        type: 'ADDITIONAL_FILE',
        media: [{ contentType: 'application/octet-stream' }, { contentType: 'application/pdf' }],
      },
    });
    const wrong = part('Metadata', '[{"key":"k"}]', undefined, 'application/json');
    const refused = await upload(rig, anIdentity().claims({ operation: 'ADDITIONAL_FILE' }), [
      part('File', 'x'),
      wrong,
    ]);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: '1006', field: 'Metadata[0].value' }] } });
    const empty = await upload(rig, anIdentity().claims({ operation: 'ADDITIONAL_FILE' }), [part('File', '')]);
    expect(empty.body.errors).toEqual([{ code: '1006', field: 'File', message: 'is empty' }]);
  });
});

test('more uploads at once than are taken get 503 with Retry-After', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => upload(rig, anIdentity().claims(), [part('DocumentFront', front)])),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});
