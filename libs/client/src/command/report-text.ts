import type { CheckName, ProofReport } from '../proof/report.ts';

const WORDS: Readonly<Record<CheckName, string>> = {
  envelope: 'MIME envelope',
  zip: 'ZIP structure, names, sizes, CRCs',
  hashes: 'SHA-256 of every file, none missing or added',
  signature: 'signature (RS256) by a published key',
  schema: 'shapes of the three JSON files',
  consistency: 'ids, statuses and media agree',
};
const MARKS = { ok: 'ok     ', refused: 'REFUSED', 'not-made': '-      ' } as const;

/** A report for people: the verdict, each check, the reasons. No personal data is shown. */
export const reportText = (report: ProofReport): string => {
  const { proof } = report;
  const lines = [
    report.ok
      ? 'GOOD: this proof is complete, unaltered and signed by a published key.'
      : 'REFUSED: do not rely on this proof.',
    '',
    ...(proof
      ? [
          `proof      ${proof.proofId}`,
          `identity   ${proof.identityId}`,
          `tenant     ${proof.tenantId}`,
          ...(proof.levelOfAssurance ? [`assurance  ${proof.levelOfAssurance}`] : []),
          `proofing   ${proof.startDateTime} to ${proof.endDateTime} (UTC)`,
          ...(report.kid ? [`key        ${report.kid}`] : []),
          `files      ${report.files.length}, ${report.files.reduce((sum, { bytes }) => sum + bytes, 0)} bytes`,
          ...(report.repacked ? ['note       the archive was packed again; its entries are the signed ones'] : []),
          '',
        ]
      : []),
    ...report.checks.map(({ name, outcome }) => `${MARKS[outcome]}  ${WORDS[name]}`),
    ...(report.reasons.length > 0 ? ['', 'Reasons:'] : []),
    ...report.reasons.map(({ check, reason, where }) => `- ${check}: ${reason}${where ? ` (${where})` : ''}`),
  ];
  return lines.join('\n');
};
