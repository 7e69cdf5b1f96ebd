import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

/* A refusal says what the valid form is. */

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant();
});
afterAll(() => rig.close());

test('of an Idempotency-Key says which keys are valid', async () => {
  const { at } = await created(acme.rs);
  const { body } = await acme.rs.post(`${at}/consents`, [{ approved: true, type: 'GIV' }], {
    'Idempotency-Key': 'two words',
  });
  expect(body.errors).toEqual([
    { code: '1006', field: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' },
  ]);
});

test.each(['null', '5', '"text"'])('of the body %s does not call it invalid JSON', async (text) => {
  const { at } = await created(acme.rs);
  const answer = await fetch(`${rig.baseUrl}${at}/consents`, {
    method: 'POST',
    headers: { apikey: acme.keys.rs, 'content-type': 'application/json' },
    body: text,
  });
  expect(await answer.json()).toMatchObject({
    status: 400,
    errors: [{ message: 'the body must be a JSON object or array' }],
  });
});

test('of an e-mail address describes in words what a plain address is', async () => {
  const { at } = await created(acme.rs);
  const { body } = await acme.rs.post(`${at}/contacts/email`, { value: 'nobody' });
  expect(body.errors).toEqual([
    {
      code: '1006',
      field: 'value',
      message: 'must have this form: one plain address: no list, group, comment or quoted part',
    },
  ]);
});

test('of a setting describes its form', async () => {
  const settings = { capture: { colour: 'red' } };
  const { body } = await rig.admin.patch(`/admin/v1/tenants/${acme.tenantId}`, { settings });
  expect(body.errors).toEqual([
    {
      code: '1006',
      field: 'settings.capture.colour',
      message: 'must have this form: #rrggbb; made lighter or darker where it could not be read',
    },
  ]);
});
