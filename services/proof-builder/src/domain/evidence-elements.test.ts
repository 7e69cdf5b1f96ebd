import {
  type DataOf,
  evidenceDeleted,
  evidenceEvaluated,
  type LevelOfAssurance,
  type UpgradePaths,
} from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { longestFlow } from '../testing/longest-flow.ts';
import { additionOf, deletionOf } from './evidence-elements.ts';
import { gather, type HistoryRecord } from './history.ts';

type Evaluated = DataOf<typeof evidenceEvaluated>;

const PATHS: UpgradePaths = { LOA3: [[{ evidenceTypes: ['PORTRAIT'], score: 'LEVEL2' }]] };
const LATER: UpgradePaths = { LOA4: [[{ evidenceTypes: ['PASSPORT'], score: 'LEVEL4', with: ['CHIP'] }]] };
const shown = (paths: UpgradePaths) =>
  Object.entries(paths).map(([levelOfAssurance, alternatives]) => ({ levelOfAssurance, paths: alternatives }));

/**
 * The first evaluation of an evidence, and the upgrade paths in the element that is made from it
 * alone.
 */
const story = () => {
  const records: HistoryRecord[] = longestFlow('paths').events.map(({ type, at, data }) => ({ type, at, data }));
  const record = records.find(({ type }) => type === evidenceEvaluated.type)!;
  const first = record.data as Evaluated;
  const { evidenceId } = first.evidences[0]!;
  const others = records.filter(({ type }) => type !== evidenceEvaluated.type);
  const pathsFrom = (data: Evaluated) => {
    const history = gather([...others, { ...record, data }]);
    const context = { caseRevision: data.caseRevision, startDateTime: record.at, media: new Map() };
    return additionOf(history, evidenceId, context).evaluationDetails?.loaAndUpgradePath;
  };
  return { first, pathsFrom };
};

describe('the upgrade paths of an evidence', () => {
  test('given an evaluation, then they are those of the identity after it', () => {
    const { first, pathsFrom } = story();
    const identity = { ...first.identity, upgradePaths: PATHS };
    expect(pathsFrom({ ...first, identity })).toMatchObject({
      levelOfAssurance: first.identity.levelOfAssurance,
      upgradePaths: shown(PATHS),
    });
  });

  test('given an evaluation that is republished after a later one of the identity, then it has none', () => {
    const { first, pathsFrom } = story();
    const identity = { ...first.identity, evaluationDateTime: '2031-01-01T00:00:00.000', upgradePaths: LATER };
    expect(pathsFrom({ ...first, identity })).not.toHaveProperty('upgradePaths');
  });

  test('given an event of a former release, then they are those of the entry itself', () => {
    const { first, pathsFrom } = story();
    const evidences = structuredClone(first.evidences);
    evidences[0]!.proof.evaluationDetails.loaAndUpgradePath!.upgradePaths = shown(PATHS);
    const identity = { ...first.identity, upgradePaths: LATER };
    expect(pathsFrom({ ...first, evidences, identity })).toMatchObject({ upgradePaths: shown(PATHS) });
  });
});

describe('the evaluation of a deletion', () => {
  const ID = 'the deleted one';
  const DELETED_AT = '2026-03-02T10:00:10.000';
  const deleted = (evidenceId: string, deletedAt: string): HistoryRecord => ({
    type: evidenceDeleted.type,
    at: `${deletedAt}Z`,
    data: { evidenceId, type: 'PASSPORT', operation: 'ID_DOCUMENT_CAPTURE', reason: 'DELETED', deletedAt },
  });
  const evaluated = (
    caseRevision: number,
    second: number,
    levelOfAssurance: LevelOfAssurance,
    deletions?: number,
  ): HistoryRecord => ({
    type: evidenceEvaluated.type,
    at: `2026-03-02T10:00:${String(second).padStart(2, '0')}.000Z`,
    data: {
      caseRevision,
      policy: { name: 'default', version: '1' },
      evidences: [],
      identity: {
        levelOfAssurance,
        evaluationDateTime: `2026-03-02T10:00:${String(second).padStart(2, '0')}.000`,
        upgradePaths: {},
      },
      ...(deletions === undefined ? {} : { basis: { deletions, consentsRevision: 0 } }),
    },
  });
  const shownOf = (evaluations: HistoryRecord[]) => {
    const former = deleted('a former one', '2026-03-02T10:00:05.000');
    const history = gather([former, deleted(ID, DELETED_AT), ...evaluations]);
    const [element] = deletionOf(history, ID, { caseRevision: 9, startDateTime: DELETED_AT, media: new Map() });
    const { evaluationDateTime, loaAndUpgradePath } = element!.evaluationDetails!;
    return { at: evaluationDateTime.slice(17, 19), level: loaAndUpgradePath?.levelOfAssurance };
  };

  test('is not one that was made before the worker knew of it', () => {
    expect(shownOf([evaluated(3, 11, 'LOA2', 1), evaluated(4, 12, 'LOA0', 2)])).toEqual({ at: '12', level: 'LOA0' });
  });

  test('is the one that it changed nothing in, not one after later submissions', () => {
    expect(shownOf([evaluated(3, 8, 'LOA1', 2), evaluated(4, 30, 'LOA3', 2)])).toEqual({ at: '10', level: 'LOA1' });
  });

  test('is by its time where a former release made it', () => {
    expect(shownOf([evaluated(3, 8, 'LOA2'), evaluated(4, 12, 'LOA1')])).toEqual({ at: '12', level: 'LOA1' });
    expect(shownOf([])).toEqual({ at: '10', level: undefined });
  });
});
