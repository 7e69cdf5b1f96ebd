import { type Consent, type DocumentText, formatDateTime, issuingCheckCompleted } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { consentTo } from '../testing/case-builders.ts';
import { idleEngine } from '../testing/idle-engine.ts';
import { anIdentity, type Identity, type Rig, startRig, submission } from '../testing/rig.ts';

/* A level depends on dates: it changes when a day passes, without any message. */

const LAST_DAY = '2026-06-30';
const DURING = new Date('2026-06-30T12:00:00Z');
/** The last day is over in UTC at the first time, and everywhere on Earth at the second. */
const PAST = new Date('2026-07-01T00:00:00Z');
const OVER = new Date('2026-07-01T12:00:00Z');
/** A worker looks for such cases at least once in this time. */
const LOOK_MS = 61_000;

let now = DURING;
let looked = OVER;
let rig: Rig;
beforeAll(async () => {
  rig = await startRig(idleEngine, () => now);
});
afterAll(() => rig.close());

const licence = (expiryDate: string): DocumentText => ({
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'D1234567',
  issuingCountry: 'USA',
  issuingState: 'MD',
  expiryDate,
  personalAttributes: {
    dateOfBirth: { value: '1980-02-03' },
    givenNames: [{ value: 'Ada' }],
    surname: { value: 'Lovelace' },
  },
});

const confirmed = async (identity: Identity, documentText: DocumentText, consents: Consent[], over: Date) => {
  now = DURING;
  const event = submission(identity, rig, {
    type: 'DRIVING_LICENSE',
    operation: 'ID_DOCUMENT',
    content: { documentText },
    consents,
  });
  await rig.send(event);
  const { evidenceId } = event.data;
  const question = await waitFor('the question', () =>
    rig.events<{ checkId: string }>(identity.identityId, 'issuing-check.requested').at(0),
  );
  await rig.send(
    identity.event(issuingCheckCompleted, {
      checkId: question.data.checkId,
      evidenceId,
      result: 'VERIFIED',
      raisedIndicators: ['GIV_VERIFICATION_VERIFIED'],
      askedFields: ['number', 'surname', 'givenName', 'dateOfBirth', 'expiryDate'],
      source: 'test',
      startDateTime: formatDateTime(now),
      endDateTime: formatDateTime(now),
      services: [],
    }),
  );
  await rig.settled(event, 'VERIFIED');
  expect(rig.view(identity.identityId).identity).toMatchObject({
    levelOfAssurance: 'LOA1',
    lapsesAt: formatDateTime(over),
  });
  return event;
};

/**
 * Expects that nothing is due before the day is over, and that the change then comes without a
 * message.
 */
const afterTheDay = async (
  identity: Identity,
  event: Awaited<ReturnType<typeof confirmed>>,
  status: string,
  over: Date,
) => {
  const dueBy = async (at: Date) =>
    (await rig.cases.due(at, { limit: 10, except: [] })).filter(({ _id }) => _id === identity.identityId);
  expect(await dueBy(new Date(over.getTime() - 1000))).toEqual([]);
  looked = new Date(looked.getTime() + LOOK_MS);
  now = looked;
  const one = await rig.settled(event, status);
  expect(rig.view(identity.identityId).identity).toMatchObject({ levelOfAssurance: 'LOA0' });
  expect(rig.view(identity.identityId).identity).not.toHaveProperty('lapsesAt');
  expect(await dueBy(looked)).toEqual([]);
  return one;
};

test('a document that expires while its identity is open is INVALID from then on', async () => {
  const identity = anIdentity();
  const event = await confirmed(identity, licence(LAST_DAY), consentTo('GIV'), OVER);
  const expired = await afterTheDay(identity, event, 'INVALID', OVER);
  expect(expired.errors?.map(({ code }) => code)).toEqual(['1501']);
  expect(expired.warningIndicators).toContain('DOC_EXPIRATION_DATE_FAILED');
  expect(expired.positiveIndicators).not.toContain('DOC_EXPIRATION_DATE_OK');
});

test('what depends on a consent is set aside when its period ends, even after a case that cannot be read', async () => {
  const unreadable = { _id: newId(), tenantId: 'none', evidences: [{}], dueAt: DURING };
  await rig.mongodb.connection.collection('cases').insertOne(unreadable as never);
  const identity = anIdentity();
  const [giv] = consentTo('GIV');
  const ending = [{ ...giv!, validityPeriod: { to: LAST_DAY } }];
  const event = await confirmed(identity, licence('2039-01-31'), ending, PAST);
  const withdrawn = await afterTheDay(identity, event, 'NOT_VERIFIED', PAST);
  expect(withdrawn.errors?.map(({ code }) => code)).toContain('3001');
});
