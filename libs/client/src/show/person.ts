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

/** A VERIFIED document that names somebody else than the name reference: it counts for no level. */
const namesAnother = ({ evaluationDetails, participantContextId }: Element): boolean =>
  evaluationDetails?.evidences.some(
    ({ id, attributesReferenceAndConsistency: { mismatchedAttributes = [] } = {} }) =>
      id === participantContextId && mismatchedAttributes.length > 0,
  ) ?? false;

/** The evidence with this id before all others. */
const first = (id: string | undefined, evidence: readonly Element[]): Element[] =>
  [...evidence].sort((a, b) => Number(b.participantContextId === id) - Number(a.participantContextId === id));

const facesOf = ({ evidenceDetails: details }: Element) => [
  ...(details?.photoCrops ?? []),
  ...(details?.type === 'PORTRAIT' ? (details.captureImages ?? []) : []),
];

const wordsOf = (evidence: readonly Element[]): string =>
  evidence.map((element) => `${kindWords(element)} (${levelWords(evaluationOf(element)?.score ?? '')})`).join(', ');

/**
 * The person as the verified evidence has them: face, name, date of birth, and the level of
 * assurance with what it rests on. Name and face are those of the references that the evaluation
 * chose, where there are any.
 */
export const personSection = (shown: ShownProof): Html => {
  const { nameReferenceEvidenceId, portraitReferenceEvidenceId, levelOfAssurance } = shown.identity.globalStatus;
  const all = verified(shown);
  const evidence = all.filter((element) => !namesAnother(element));
  const holder = first(nameReferenceEvidenceId, evidence)
    .map(holderOf)
    .find((one) => nameOf(one));
  const face = first(portraitReferenceEvidenceId, evidence)
    .flatMap(facesOf)
    .map(({ id }) => shown.images.get(id ?? ''))
    .find(Boolean);
  const because = wordsOf(evidence);
  return html`<section class="person">${face ? html`<img src="${face}" alt="The person">` : ''}<div>
<p class="name">${nameOf(holder) ?? 'No name was verified'}</p>
${rows({
  'Date of birth': holder?.dateOfBirth,
  'Level of assurance': levelWords(levelOfAssurance),
  Because: because === '' ? 'nothing was verified' : `verified: ${because}`,
  'Names another person': wordsOf(all.filter(namesAnother)),
})}</div></section>`;
};
