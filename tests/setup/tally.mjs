import { writeFileSync } from 'node:fs';

/**
 * Writes the counts of a run and the failed files for scripts/test.mjs. A test file that could not
 * run counts as one failure.
 */
export default class Tally {
  onRunComplete(_contexts, results) {
    const file = process.env.TEST_TALLY_FILE;
    if (!file) return;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const failedFiles = results.testResults
      .filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError)
      .map(({ testFilePath, numPassingTests, testResults }) => ({
        path: testFilePath,
        passed: numPassingTests,
        tests: testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      }));
    writeFileSync(file, JSON.stringify({ passed: results.numPassedTests, failed, failedFiles }));
  }
}
