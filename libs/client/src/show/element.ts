import type { EvidenceDetails, VerificationAndEvaluationDetails, VerificationDetails } from '@assay/contracts';
import { plainWords } from '@assay/contracts/words';
import { type Html, html, rows } from './html.ts';
import type { ShownProof } from './show-proof.ts';
import { findingWords } from './words.ts';

type Element = VerificationAndEvaluationDetails;

const dataOf = ({ data }: EvidenceDetails): Html | '' => {
  if (!data) return '';
  const [holder] = data.holderInformation ?? [];
  return rows({
    'Document number': data.documentNumber,
    'Issuing country': data.issuingCountry,
    'Issued on': data.issuingDate,
    'Expires on': data.expiryDate,
    Surname: holder?.surname,
    'Given names': holder?.givenNames?.join(' '),
    'Full name': holder?.fullname,
    'Date of birth': holder?.dateOfBirth,
    Gender: holder?.gender,
    Nationality: holder?.nationality,
    'Machine-readable zone': data.mrz?.join(' '),
    ...Object.fromEntries((data.metadata ?? []).map(({ key, value }) => [plainWords(key), value])),
  });
};

const pictures = (details: EvidenceDetails, { images }: ShownProof): Html[] =>
  [
    ...(details.captureImages ?? []).map(({ id, side }) => ({ id, label: side ? plainWords(side) : 'Capture' })),
    ...(details.photoCrops ?? []).map(({ id }) => ({ id, label: 'Portrait on the document' })),
  ].map(({ id, label }) => {
    const data = id === undefined ? undefined : images.get(id);
    return data ? html`<img src="${data}" alt="${label}">` : html`<p>${label}: <code>${id}</code></p>`;
  });

const indicators = (title: string, raised: readonly string[] | undefined): Html | '' =>
  raised?.length
    ? html`<p>${title}</p><ul>${raised.map((one) => html`<li>${findingWords(one)} <code>${one}</code></li>`)}</ul>`
    : '';

const evaluation = ({ evaluationDetails, participantContextId }: Element): Html | '' => {
  const found = evaluationDetails?.evidences.find(({ id }) => id === participantContextId)?.statusAndScoring;
  if (!found) return '';
  const verified = found.status === 'VERIFIED' ? `, ${plainWords(found.score)} of ${plainWords(found.strength)}` : '';
  return html`<p><span class="badge">${plainWords(found.status)}${verified}</span></p>
${indicators('In favour', found.positiveIndicators)}${indicators('Warnings', found.warningIndicators)}
${indicators('Not decided', found.unverifiedIndicators)}${indicators('Blocking', found.blockingIndicators)}`;
};

const steps = (details: readonly VerificationDetails[] | undefined): Html | '' =>
  details?.length
    ? html`<p>Checks made</p><ul>${details.map(
        ({ participantType, participantState, startDateTime, verificationServices }) =>
          html`<li>${plainWords(participantType ?? 'check')}: ${plainWords(participantState ?? '')}, ${startDateTime}${(
            verificationServices ?? []
          ).map(({ serviceName, responseTimeMS }) => html`; ${serviceName}, ${responseTimeMS} ms`)}</li>`,
      )}</ul>`
    : '';

/** One element of the proof: what was submitted or deleted, what it shows, how it was checked and judged. */
export const elementSection = (element: Element, shown: ShownProof): Html => {
  const { identityOperation, evidenceDetails, consentsDetails, contactDetails, additionalFile, startDateTime } =
    element;
  const kind = evidenceDetails?.type ?? identityOperation.name;
  return html`<section class="element">
<h2>${plainWords(kind)}${identityOperation.type === 'DELETE' ? ' deleted' : ''}</h2>
${rows({
  At: `${startDateTime} UTC`,
  Operation: plainWords(identityOperation.name),
  Id: element.participantContextId,
  'Depends on': element.identityOperationParent,
  Progress: plainWords(element.progress),
  'E-mail': contactDetails?.email?.value,
  Mobile: contactDetails?.mobile?.value,
  Landline: contactDetails?.landline?.value,
  'User name': contactDetails?.username?.username,
  'Additional file': additionalFile?.id,
  ...Object.fromEntries(
    (consentsDetails?.consents ?? []).map(({ type, approved }) => [
      plainWords(type),
      approved ? 'consented' : 'refused',
    ]),
  ),
})}
${evidenceDetails ? [dataOf(evidenceDetails), ...pictures(evidenceDetails, shown)] : ''}
${evaluation(element)}${steps(element.verificationDetails)}
</section>`;
};
