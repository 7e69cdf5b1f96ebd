import { plainWords } from '@assay/contracts/words';
import type { ProofReport } from '../proof/report.ts';
import { elementSection } from './element.ts';
import { type Html, html, rows } from './html.ts';
import type { ShownProof } from './show-proof.ts';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d8dd, #3d4248); --soft: light-dark(#f5f6f8, #1f2327); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.verdict { padding: .8rem 1rem; border-radius: .4rem; font-weight: 600; }
.good { background: light-dark(#dff3e4, #173a22); } .refused { background: light-dark(#fde3e1, #4a1a17); }
section.element { border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; margin: 1rem 0; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: .15rem 1.2rem .15rem 0; font-weight: normal; }
th { opacity: .75; } img { max-height: 15rem; max-width: 100%; margin: .4rem .6rem .4rem 0; border: 1px solid var(--line); }
.badge { background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; padding: 0 .4rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; } code { overflow-wrap: anywhere; }
`;

const verdict = (report: ProofReport): Html =>
  report.ok
    ? html`<p class="verdict good">Good: complete, unaltered, and signed by a published key.</p>`
    : html`<div class="verdict refused">Refused. Do not rely on what follows.<ul>${report.reasons.map(
        ({ check, reason, where }) => html`<li>${check}: ${reason}${where ? html` <code>${where}</code>` : ''}</li>`,
      )}</ul></div>`;

const summary = (report: ProofReport, { proof, identity }: ShownProof): Html => html`
<h2>Identity</h2>
${rows({
  'Level of assurance': identity.globalStatus.levelOfAssurance,
  Identity: proof.identityId,
  Proof: proof.proofId,
  'Previous proof': proof.previousProofId,
  Tenant: `${proof.tenantId} (${plainWords(proof.tenantRole)})`,
  Policy: proof.tenantUsed,
  Began: `${proof.startDateTime} UTC`,
  Ended: `${proof.endDateTime} UTC`,
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
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Proof ${report.proof?.proofId}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<h1>Proof of identity</h1>
${verdict(report)}
${shown ? summary(report, shown) : ''}
${shown ? html`<h2>What happened, in order</h2>${shown.elements.map((element) => elementSection(element, shown))}` : ''}
</body>
</html>
`.markup;
