import { plainWords } from '@assay/contracts/words';
import type { ProofReport } from '../proof/report.ts';
import { elementSection } from './element.ts';
import { type Html, html, ownMarkup, rows } from './html.ts';
import { personSection } from './person.ts';
import type { ShownProof } from './shown-proof.ts';
import { TOKENS } from './tokens.ts';
import { timeWords } from './words.ts';

const STYLE = `${TOKENS}
body { font: var(--text-m)/1.5 var(--font); color: var(--ink); background: var(--paper); max-width: 62rem; margin: 0 auto; padding: var(--space-5); }
h1 { font-size: var(--text-xl); } h2 { font-size: var(--text-l); margin-top: var(--space-6); }
.verdict { padding: var(--space-3) var(--space-4); border-radius: var(--radius-m); font-weight: 600; }
.good { color: var(--good); background: var(--good-soft); } .refused { color: var(--bad); background: var(--bad-soft); }
section.element { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-m); padding: var(--space-3) var(--space-4); margin: var(--space-4) 0; }
section.element h2 { margin-top: 0; display: flex; flex-wrap: wrap; gap: 0 var(--space-4); justify-content: space-between; align-items: baseline; }
small { font-size: var(--text-s); font-weight: 400; color: var(--quiet); } .record { font-size: var(--text-s); margin-top: var(--space-3); border-top: 1px solid var(--line); padding-top: var(--space-2); }
.findings { columns: 26rem; } .findings li { break-inside: avoid; }
table { border-collapse: collapse; } td, th { text-align: start; vertical-align: top; padding: .15rem 1.2rem .15rem 0; font-weight: normal; }
td { overflow-wrap: anywhere; } th { color: var(--quiet); min-width: min(9rem, 30vw); overflow-wrap: break-word; }
@media (max-width: 30rem) { body { padding: var(--space-4); } th { min-width: min(6.5rem, 25vw); padding-inline-end: var(--space-3); } td { padding-inline-end: 0; } } img { background: #fff; max-height: 15rem; max-width: 100%; margin: .4rem .6rem .4rem 0; border: 1px solid var(--line); border-radius: var(--radius-s); }
.badge { background: var(--sunken); border: 1px solid var(--line); border-radius: 1em; padding: 0 var(--space-2); }
.person { display: flex; flex-wrap: wrap; gap: var(--space-4); margin: var(--space-5) 0; } .person .name { font-size: var(--text-xl); font-weight: 600; margin: 0; }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; background: none; } h2 { break-after: avoid; } img, li, tr { break-inside: avoid; } }
ul { margin: .2rem 0; padding-inline-start: 1.2rem; } code { font: var(--text-s)/1.4 var(--mono); overflow-wrap: anywhere; }
`;

const resultSection = (report: ProofReport): Html =>
  report.ok
    ? html`<p class="verdict good">Good: complete, unaltered, and signed by a published key.</p>`
    : html`<div class="verdict refused">Refused. Do not rely on what follows.<ul>${report.reasons.map(
        ({ check, reason, where }) => html`<li>${check}: ${reason}${where ? html` <code>${where}</code>` : ''}</li>`,
      )}</ul></div>`;

const sandboxSection = ({ proof }: ProofReport): Html | '' =>
  proof?.sandbox
    ? html`<p class="verdict refused">From a sandbox: its outcomes were played. This proof proves nobody.</p>`
    : '';

const summary = (report: ProofReport, { proof }: ShownProof): Html => html`
<h2>About this proof</h2>
${rows({
  Identity: proof.identityId,
  Proof: proof.proofId,
  'Previous proof': proof.previousProofId,
  Tenant: `${proof.tenantId} (${plainWords(proof.tenantRole)})`,
  Policy: proof.tenantUsed,
  Began: timeWords(proof.startDateTime),
  Ended: timeWords(proof.endDateTime),
  'Made by': `Assay ${proof.componentVersion}`,
  'Signing key': report.kid,
  Addresses: proof.ips?.join(', '),
})}`;

/** The whole page. Without a proof to show it holds the verdict alone. */
export const proofPage = (report: ProofReport, shown?: ShownProof): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Proof ${report.proof?.proofId}</title>
<style>${ownMarkup(STYLE)}</style>
</head>
<body>
<main>
<h1>Proof of identity</h1>
${resultSection(report)}
${sandboxSection(report)}
${shown ? personSection(shown) : ''}
${shown ? html`<h2>What happened, in order</h2>${shown.elements.map((element) => elementSection(element, shown))}` : ''}
${shown ? summary(report, shown) : ''}
</main>
</body>
</html>
`.markup;
