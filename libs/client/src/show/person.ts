import type { VerificationAndEvaluationDetails } from '@assay/contracts';
import { type Html, html, rows } from './html.ts';
import type { ShownProof } from './shown-proof.ts';
import { kindWords, levelWords } from './words.ts';

type Element = VerificationAndEvaluationDetails;

/** How an evidence was evaluated: its own entry of its evaluation. */
export const evaluationOf = ({ evaluationDetails, participantContextId }: Element) =>
  evaluationDetails?.evidences.find(({ id }) => id === participantContextId)?.statusAndScoring;

const isDeleted = (id: string, elements: readonly Element[]): boolean =>
  elements.some(
    ({ participantContextId, identityOperation }) => participantContextId === id && identityOperation.type === 'DELETE',
  );

/** Evidence that was VERIFIED and not deleted: only that says who the person is. */
const verified = ({ elements }: ShownProof): Element[] =>
  elements.filter(
    (element) => evaluationOf(element)?.status === 'VERIFIED' && !isDeleted(element.participantContextId, elements),
  );

const holderOf = ({ evidenceDetails }: Element) => evidenceDetails?.data?.holderInformation?.[0];

const nameOf = (holder: ReturnType<typeof holderOf>): string | undefined => {
  const parts = [...(holder?.givenNames ?? []), holder?.surname].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : holder?.fullname;
};

/**
 * The person as the verified evidence has them: face, name, date of birth, and the level of
 * assurance with what it rests on.
 */
export const personSection = (shown: ShownProof): Html => {
  const evidence = verified(shown);
  const document = evidence.find((element) => nameOf(holderOf(element)));
  const holder = document && holderOf(document);
  const faces = evidence.flatMap(({ evidenceDetails: details }) => [
    ...(details?.photoCrops ?? []),
    ...(details?.type === 'PORTRAIT' ? (details.captureImages ?? []) : []),
  ]);
  const face = faces.map(({ id }) => shown.images.get(id ?? '')).find(Boolean);
  const because = evidence
    .map((element) => `${kindWords(element)} (${levelWords(evaluationOf(element)?.score ?? '')})`)
    .join(', ');
  return html`<section class="person">${face ? html`<img src="${face}" alt="The person">` : ''}<div>
<p class="name">${nameOf(holder) ?? 'No name was verified'}</p>
${rows({
  'Date of birth': holder?.dateOfBirth,
  'Level of assurance': levelWords(shown.identity.globalStatus.levelOfAssurance),
  Because: because === '' ? 'nothing was verified' : `verified: ${because}`,
})}</div></section>`;
};
