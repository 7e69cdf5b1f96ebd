import {
  type EvidenceDetails,
  FURTHER_FILE_KEY,
  type VerificationAndEvaluationDetails,
  type VerificationDetails,
} from '@assay/contracts';
import { plainWords } from '@assay/contracts/words';
import { chipFileOf } from '../proof/contents.ts';
import { type Html, html, rows } from './html.ts';
import { evaluationOf } from './person.ts';
import type { ShownProof } from './shown-proof.ts';
import {
  answerWords,
  callWords,
  consentWords,
  findingWords,
  isCall,
  kindWords,
  levelWords,
  stepWords,
  timeWords,
} from './words.ts';

type Element = VerificationAndEvaluationDetails;

const dataOf = ({ data }: EvidenceDetails): Html | '' => {
  if (!data) return '';
  const [holder] = data.holderInformation ?? [];
  return rows([
    ['Document number', data.documentNumber],
    ['Issuing country', data.issuingCountry],
    ['Issued on', data.issuingDate],
    ['Expires on', data.expiryDate],
    ['Surname', holder?.surname],
    ['Given names', holder?.givenNames?.join(' ')],
    ['Full name', holder?.fullname],
    ['Date of birth', holder?.dateOfBirth],
    ['Gender', holder?.gender],
    ['Nationality', holder?.nationality],
    ['Machine-readable zone', data.mrz?.join(' ')],
    // Several lines of a street have one key.
    ...(data.metadata ?? [])
      .filter(({ key }) => !isCall(key))
      .map(({ key, value }) => [plainWords(key), value] as const),
  ]);
};

/** The files of one submission, and what was stated about them. */
const filesOf = ({ additionalFile }: Element): (readonly [string, string])[] =>
  additionalFile
    ? [
        ['Additional file', additionalFile.id],
        ...additionalFile.metadata.map(({ key, value }): [string, string] =>
          key === FURTHER_FILE_KEY ? ['Additional file', value] : ['Stated about it', `${key}: ${value}`],
        ),
      ]
    : [];

/** Calls that have no element of their own. */
const furtherCalls = (details: EvidenceDetails | undefined): Html | '' => {
  const calls = (details?.data?.metadata ?? []).filter(({ key }) => isCall(key));
  return calls.length === 0
    ? ''
    : html`<p>Further calls</p><ul>${calls.map(({ value }) => html`<li>${callWords(value ?? '')}</li>`)}</ul>`;
};

const filesOfChip = ({ proof }: ShownProof, evidenceId: string) =>
  (proof.hashes.additionalFiles ?? []).flatMap((file) => {
    const found = chipFileOf(file.path);
    return found?.evidenceId === evidenceId ? [{ ...file, name: found.name }] : [];
  });

/** The files of a chip, with which anybody can verify it again. */
const chip = (shown: ShownProof, evidenceId: string): Html | '' => {
  const files = filesOfChip(shown, evidenceId);
  return files.length === 0
    ? ''
    : html`<p>Files of the chip, with their SHA-256</p>${rows(
        Object.fromEntries(files.map(({ name, hash }) => [name, hash])),
      )}`;
};

const pictures = (details: EvidenceDetails, shown: ShownProof): Html[] => {
  const { images } = shown;
  const ofChip = new Set(filesOfChip(shown, details.id).map(({ id }) => id));
  return [
    ...(details.captureImages ?? []).map(({ id, side }) => ({ id, label: side ? plainWords(side) : 'Capture' })),
    ...(details.photoCrops ?? []).map(({ id, originalCaptureId = '' }) => ({
      id,
      label: ofChip.has(originalCaptureId) ? 'Portrait in the chip' : 'Portrait on the document',
    })),
  ].map(({ id, label }) => {
    const data = id === undefined ? undefined : images.get(id);
    return data ? html`<img src="${data}" alt="${label}">` : html`<p>${label}: <code>${id}</code></p>`;
  });
};

const indicators = (title: string, raised: readonly string[] | undefined): Html | '' =>
  raised?.length
    ? html`<p>${title}</p><ul class="findings">${raised.map((one) => html`<li>${findingWords(one)} <code>${one}</code></li>`)}</ul>`
    : '';

const evaluation = (element: Element): Html | '' => {
  const found = evaluationOf(element);
  if (!found) return '';
  const verified =
    found.status === 'VERIFIED' ? `, ${levelWords(found.score)} of at most ${levelWords(found.strength)}` : '';
  return html`<p><span class="badge">${plainWords(found.status)}${verified}</span></p>
${indicators('Blocking', found.blockingIndicators)}${indicators('Warnings', found.warningIndicators)}
${indicators('Passed', found.positiveIndicators)}${indicators('Not decided', found.unverifiedIndicators)}`;
};

const steps = (details: readonly VerificationDetails[] | undefined): Html | '' =>
  details?.length
    ? html`<p>Steps</p><ul>${details.map(
        (step) =>
          html`<li>${stepWords(step)}, ${timeWords(step.startDateTime)}${(step.verificationServices ?? []).map(({ serviceName, responseTimeMS }) => html`; ${serviceName}, ${responseTimeMS} ms`)}</li>`,
      )}</ul>`
    : '';

/**
 * One element of the proof: what was submitted or deleted, what it shows, how it was checked and
 * judged.
 */
export const elementSection = (element: Element, shown: ShownProof): Html => {
  const { identityOperation, evidenceDetails, consentsDetails, contactDetails, startDateTime } = element;
  return html`<section class="element">
<h2>${kindWords(element)}${identityOperation.type === 'DELETE' ? ' deleted' : ''} <small>${timeWords(startDateTime)}</small></h2>
${rows([
  ['E-mail', contactDetails?.email?.value],
  ['Mobile', contactDetails?.mobile?.value],
  ['Landline', contactDetails?.landline?.value],
  ['User name', contactDetails?.username?.username],
  ...filesOf(element),
  ...(consentsDetails?.consents ?? []).map((consent) => [consentWords(consent.type), answerWords(consent)] as const),
])}
${evidenceDetails ? [dataOf(evidenceDetails), ...pictures(evidenceDetails, shown)] : ''}${chip(shown, element.participantContextId)}
${evaluation(element)}${steps(element.verificationDetails)}${furtherCalls(evidenceDetails)}
<div class="record">${rows({
    Operation: plainWords(identityOperation.name),
    Id: element.participantContextId,
    'Depends on': element.identityOperationParent,
    Progress: plainWords(element.progress),
  })}</div>
</section>`;
};
