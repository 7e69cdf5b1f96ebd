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

/** The name on a health card may have four lines; the first of them alone is a part of it. */
const FURTHER_LINES = ['fullname2', 'fullname3', 'fullname4'];

/** The name of the holder; empty if there is none. */
const nameOf = (element: Element): string => {
  const { givenNames = [], surname, fullname } = holderOf(element) ?? {};
  const metadata = element.evidenceDetails?.data?.metadata ?? [];
  const lines = FURTHER_LINES.map((line) => metadata.find(({ key }) => key === line)?.value);
  const parts = [...givenNames, surname].filter(Boolean);
  return (parts.length > 0 ? parts : [fullname, ...lines].filter(Boolean)).join(' ');
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
  const named = first(nameReferenceEvidenceId, evidence).find(nameOf);
  const face = first(portraitReferenceEvidenceId, evidence)
    .flatMap(facesOf)
    .map(({ id }) => shown.images.get(id ?? ''))
    .find(Boolean);
  const because = wordsOf(evidence);
  return html`<section class="person">${face ? html`<img src="${face}" alt="The person">` : ''}<div>
<p class="name">${named ? nameOf(named) : 'No name was verified'}</p>
${rows({
  'Date of birth': named && holderOf(named)?.dateOfBirth,
  'Level of assurance': levelWords(levelOfAssurance),
  Because: because === '' ? 'nothing was verified' : `verified: ${because}`,
  'Names another person': wordsOf(all.filter(namesAnother)),
})}</div></section>`;
};
