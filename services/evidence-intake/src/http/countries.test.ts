import { openJson, sealingContext } from '@assay/sealing';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { part, upload } from '../testing/forms.ts';
import { anIdentity, anImage, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let image: Buffer;
beforeAll(async () => {
  rig = await startRig();
  image = await anImage(320, 200);
});
afterAll(() => rig.close());

const JSON_BODY = { 'content-type': 'application/json' };
const sent = (value: object) => Buffer.from(JSON.stringify(value));

/** What is sealed of a submission: what verification and proof read. */
const sealedOf = async (
  send: (granted: ReturnType<ReturnType<typeof anIdentity>['claims']>) => Promise<unknown>,
  more: object = {},
) => {
  const { claims, key, identityId } = anIdentity();
  const granted = claims(more);
  await send(granted);
  const { data } = await waitFor('the event', () => rig.published.find((event) => event.identityId === identityId));
  return openJson<object>(
    key,
    sealingContext(granted.tenantId, identityId, 'submission'),
    String(data.sealedSubmission),
  );
};

const submit = (type: string, submission: object) =>
  sealedOf((granted) => rig.call('POST', '/evidences', granted, sent({ type, submission }), JSON_BODY), {
    operation: 'ID_DOCUMENT',
  });

// ICAO 9303 writes Germany as D, and clients may; what is read of its documents says DEU.
test('Germany is DEU in whatever is submitted as D', async () => {
  const documentText = {
    idDocumentNumber: 'D',
    issuingCountry: 'D',
    passportCountry: 'D',
    address: { city: 'D', country: 'D' },
  };
  expect(await submit('PASSPORT', { documentText })).toEqual({
    documentText: {
      idDocumentNumber: 'D',
      issuingCountry: 'DEU',
      passportCountry: 'DEU',
      address: { city: 'D', country: 'DEU' },
    },
  });
  expect(await submit('MEDICARE', { healthCard: { issuingCountry: 'D' } })).toEqual({
    healthCard: { issuingCountry: 'DEU' },
  });
  expect(await submit('ADDRESS', { address: { country: 'D', streetDetails: { streetLines: ['D'] } } })).toEqual({
    address: { country: 'DEU', streetDetails: { streetLines: ['D'] } },
  });
  const capture = [part('DocumentFront', image), part('DocumentCaptureDetails', '{"jurisdiction":"D"}')];
  expect(await sealedOf((granted) => upload(rig, granted, capture))).toMatchObject({
    captureDetails: { jurisdiction: 'DEU' },
  });
});

test('Germany is DEU where the session of a chip was asked for D', async () => {
  const read = async (granted: Parameters<Rig['call']>[2]) => {
    const { body } = await rig.call('POST', '/nfc-sessions', granted, sent({ issuingCountry: 'D' }), JSON_BODY);
    const gaveUp = sent({ errors: [{ code: 'LOST' }] });
    await rig.call('POST', `/nfc-sessions/${String(body.sessionId)}/data`, granted, gaveUp, JSON_BODY);
  };
  expect(await sealedOf(read, { operation: 'EVIDENCE_NFC_VERIFICATION' })).toMatchObject({
    chip: { issuingCountry: 'DEU' },
  });
});
