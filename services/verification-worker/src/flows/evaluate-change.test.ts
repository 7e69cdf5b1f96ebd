import { type Policies, policiesOf, shippedPolicies } from '@assay/policy';
import { type Log, metricsText } from '@assay/runtime';
import { quietLog } from '@assay/testing';
import { expect, test } from '@jest/globals';
import type { CaseDocument } from '../store/cases.ts';
import { settingsWith } from '../testing/case-builders.ts';
import { createEvaluateChange } from './evaluate-change.ts';

const now = () => new Date('2026-05-01T10:00:00Z');
const message = { id: 'message', tenantId: 'tenant', identityId: 'identity' };
const policy = shippedPolicies().named('default')!;
const caseUnder = (name: string, version: string): CaseDocument => ({
  ...{ _id: 'identity', tenantId: 'tenant', revision: 1, outbox: [], inbox: [] },
  createdUnder: settingsWith({ policy: { name, version } }),
  ...{ evidences: [], comparisons: [], agreements: [], deleted: [] },
  consents: { revision: 0, known: [], deleted: [] },
});

/** What a worker with these policies says while it evaluates such a case. */
const saidOf = (policies: Policies, current: CaseDocument): unknown[] => {
  const said: unknown[] = [];
  const log = { ...quietLog, warn: (line: unknown) => void said.push(line) } as Log;
  createEvaluateChange({ policies, now, log })(current, { current }, message);
  return said;
};

test('a worker reports that it evaluates under another policy or version than the identity has', () => {
  const former = policiesOf([{ ...policy, version: '0.9' }]);
  expect(saidOf(former, caseUnder('default', '0.9'))).toEqual([]);
  const newer = caseUnder('default', '9.0');
  expect(saidOf(former, newer)).toEqual([
    { msg: 'policy.substituted', identityId: 'identity', policy: 'default', version: '9.0', by: 'default 0.9' },
  ]);
  expect(saidOf(former, caseUnder('of tomorrow', '1.0'))).toMatchObject([{ policy: 'of tomorrow', by: 'default 0.9' }]);
});

test('a worker counts from zero, so that the first evaluation under another policy is an increase', async () => {
  saidOf(policiesOf([{ ...policy, name: 'yesterday' }, policy]), caseUnder('default', policy.version));
  expect(await metricsText()).toContain('assay_policy_substituted_total{policy="yesterday"} 0');
});
