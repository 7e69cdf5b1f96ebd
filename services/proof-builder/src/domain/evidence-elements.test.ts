import { type DataOf, evidenceEvaluated, type UpgradePaths } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { longestFlow } from '../testing/longest-flow.ts';
import { additionOf } from './evidence-elements.ts';
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
