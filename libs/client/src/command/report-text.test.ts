import { expect, test } from '@jest/globals';
import type { ProofReport } from '../proof/report.ts';
import { reportText } from './report-text.ts';

const PROOF = {
  ...{ proofId: 'p', identityId: 'i', tenantId: 't', componentVersion: '1' },
  ...{ startDateTime: '2026-01-01T00:00:00.000', endDateTime: '2026-01-01T00:01:00.000' },
};
const report = (proof: ProofReport['proof'] & object): ProofReport => ({
  ...{ ok: true, reasons: [], checks: [], files: [] },
  proof,
});

test('a good proof of a sandbox is said to prove nobody, and no other', () => {
  expect(reportText(report({ ...PROOF, sandbox: true }))).toMatch(/^SANDBOX .*proves nobody$/m);
  expect(reportText(report(PROOF))).not.toMatch(/sandbox/i);
});
