import { describe, expect, test } from '@jest/globals';
import { documentData } from './document-data.ts';
import type { MrzReading } from './mrz/read.ts';
import type { VisualReading } from './viz/read.ts';

const visual: VisualReading = { lines: [], found: 0, checks: {}, machinePrint: [], turned: {} };

const namesOf = (surname: string, givenNames: string[], nameTruncated: boolean) => {
  const mrz = {
    fields: { surname, givenNames, nameTruncated },
    checks: {},
    valid: true,
    unlistedStates: [],
    pitch: 30,
  } as unknown as MrzReading;
  const data = documentData(mrz, undefined, visual, undefined);
  return [data.surname, ...data.givenNames].map((name) => name?.confirmed);
};

describe('names of a machine-readable zone', () => {
  test('are confirmed by a zone that is right and has room for them', () => {
    expect(namesOf('SPECIMEN', ['BARRY', 'HENRY'], false)).toEqual([true, true, true]);
  });

  test('are not where the zone is full: the last of them may be cut', () => {
    expect(namesOf('SPECIMEN', ['BARRY', 'HEN'], true)).toEqual([true, true, false]);
    expect(namesOf('FEATHERSTONEHAUGH CHOLMONDEL', [], true)).toEqual([false]);
  });
});
