import type { CheckName, ChipReport, ProofReport } from '../proof/report.ts';
import { oneLine } from '../unseen.ts';

const WORDS: Readonly<Record<CheckName, string>> = {
  envelope: 'MIME envelope',
  zip: 'ZIP structure, names, sizes, CRCs',
  hashes: 'SHA-256 of every file, none missing or added',
  signature: 'signature (RS256) by a published key',
  schema: 'shapes of the three JSON files',
  consistency: 'ids, statuses and media agree',
  chip: 'chips, verified again by the authorities given',
};
const MARKS = { ok: 'ok     ', refused: 'REFUSED', 'not-made': '-      ' } as const;

const chipLines = ({ evidenceId, checks, notMade, errors, ...by }: ChipReport): string[] => [
  '',
  `Chip of ${evidenceId}`,
  ...checks.map(({ name, state, inProof }) => {
    const differs = inProof !== undefined && inProof !== state ? `, ${inProof} in the proof` : '';
    return `${state.padEnd(10)}  ${name}${differs}`;
  }),
  ...notMade.map(({ name, reason }) => `${'not made'.padEnd(10)}  ${name}: ${reason}`),
  ...errors.map((error) => `unreadable  ${error}`),
  ...(by.signer ? [`signed by   ${by.signer}, ${by.signedAt}`] : []),
  ...(by.authority ? [`vouched by  ${by.authority} (${by.authoritySource})`] : []),
];

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
          ...(proof.sandbox ? ['SANDBOX    its outcomes were played: this proof proves nobody'] : []),
          ...(report.repacked ? ['note       the archive was packed again; its entries are the signed ones'] : []),
          '',
        ]
      : []),
    ...report.checks.map(({ name, outcome }) => `${MARKS[outcome]}  ${WORDS[name]}`),
    ...(report.chips?.length === 0 ? ['', 'No chip was read in this proof.'] : []),
    ...(report.chips ?? []).flatMap(chipLines),
    ...(report.reasons.length > 0 ? ['', 'Reasons:'] : []),
    ...report.reasons.map(({ check, reason, where }) => `- ${check}: ${reason}${where ? ` (${where})` : ''}`),
  ];
  return lines.map(oneLine).join('\n');
};
