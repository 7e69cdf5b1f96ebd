import { type Envelope, type EvaluatedIdentity, evidenceEvaluated, todayAt } from '@assay/contracts';
import { connectMongo, type Database, outboxEntry } from '@assay/mongo';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CaseEvidence } from '../domain/case.ts';
import { facesToDescribe } from '../domain/face-pairs.ts';
import { caseOf, documentChip, documentImage, portrait } from '../testing/case-builders.ts';
import { beginCase, type CaseModel, type CaseStore, caseModel, createCaseStore } from './cases.ts';

let mongodb: Database;
let model: CaseModel;
let cases: CaseStore;
beforeAll(async () => {
  const stack = testStack();
  mongodb = await connectMongo(stack.mongoUrl, stack.database('worker'), quietLog);
  model = caseModel(mongodb.connection);
  cases = createCaseStore(model);
});
afterAll(() => mongodb.close());

const tenantId = 'tenant-0000000000000001';
const identity = { levelOfAssurance: 'LOA1' } as EvaluatedIdentity;
const published = { status: 'VERIFIED', evidenceRevision: 1 } as CaseEvidence['lastPublished'];
const event = outboxEntry(evidenceEvaluated, {
  tenantId,
  identityId: 'identity-0000000000000001',
  at: new Date(),
  data: {} as never,
}) as Envelope<unknown>;

const selfies = () => [{ ...portrait('evidence-0000000000000002'), sealed: { face: 'sealed' }, crops: [], media: [] }];

describe('a case that a former version stored', () => {
  const _id = 'identity-0000000000000001';

  test('is read with the present names, and loses the former ones at the next write', async () => {
    const facts = caseOf([documentImage('evidence-0000000000000001')]);
    const evidences = facts.evidences.map((one) => ({ ...one, sealed: {}, crops: [], media: [], told: published }));
    const policy = { name: 'strict', version: '1' };
    const former = { ...facts, _id, tenantId, revision: 3, deleted: [], inbox: [], evidences, told: identity };
    await model.collection.insertOne({ ...former, judgedUnder: policy } as never);

    const before = (await cases.find(_id))!;
    expect(before).toMatchObject({ lastPublished: identity, reevaluatedUnder: policy });
    expect(before.evidences[0]).toMatchObject({ lastPublished: published });
    expect(before.evidences[0]).not.toHaveProperty('told');

    expect(await cases.write(before, before, 'message', [event])).toBe(true);
    const stored = await model.findById(_id).lean();
    expect(stored).toMatchObject({ lastPublished: identity, reevaluatedUnder: policy, revision: 4 });
    expect(stored).toMatchObject({ schemaVersion: 4 });
    expect(stored).not.toHaveProperty('told');
    expect(stored).not.toHaveProperty('judgedUnder');
  });

  test('retains the templates of its faces, which version 2 had for every face', async () => {
    const id = 'identity-0000000000000009';
    const [seen] = caseOf([documentChip('evidence-0000000000000001')]).evidences;
    const evidences = [{ ...seen, sealed: { face: 'sealed' }, crops: [], media: [] }];
    const facts = { comparisons: [], agreements: [], consents: { known: [], revision: 0, deleted: [] } };
    const former = { _id: id, tenantId, revision: 1, deleted: [], inbox: [], evidences, ...facts, schemaVersion: 2 };
    await model.collection.insertOne(former as never);
    const before = (await cases.find(id))!;
    expect(before.evidences).toEqual(evidences);
    expect(facesToDescribe({ ...before, evidences: [...before.evidences, ...selfies()] }, todayAt(new Date()))).toEqual(
      [],
    );
    expect(await cases.write(before, before, 'message', [event])).toBe(true);
    expect(await model.findById(id).lean()).toMatchObject({ schemaVersion: 4, evidences });
  });

  test('leaves nothing but its tombstone when it is closed', async () => {
    const id = 'identity-0000000000000002';
    await model.collection.insertOne({ _id: id, tenantId, told: identity, judgedUnder: {}, evidences: [] } as never);
    await cases.close(id, tenantId, new Date('2030-01-01'));
    expect(Object.keys((await model.findById(id).lean())!).sort()).toEqual(
      ['_id', 'closed', 'forgetAt', 'revision', 'tenantId'].sort(),
    );
  });
});

describe('a case that begins', () => {
  test('is stored with its first write; of two processes that begin it at once, one succeeds', async () => {
    const id = 'identity-0000000000000003';
    const other = createCaseStore(model);
    const begun = beginCase(id, tenantId);
    const written = await Promise.all([
      cases.write(begun, begun, 'message-1', [event]),
      other.write(begun, begun, 'message-2', []),
    ]);
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await cases.find(id)).toMatchObject({ tenantId, revision: 1, evidences: [], deleted: [] });
    expect([cases.recent(id), other.recent(id)].filter(Boolean)).toHaveLength(1);
  });

  test('is not stored beside a tombstone', async () => {
    const id = 'identity-0000000000000004';
    await cases.close(id, tenantId, new Date('2030-01-01'));
    const begun = beginCase(id, tenantId);
    expect(await cases.write(begun, begun, 'message', [event])).toBe(false);
    expect(await cases.find(id)).toMatchObject({ closed: true, revision: 1 });
  });
});
