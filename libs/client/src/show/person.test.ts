import type { EvidenceType, Identity, Proof, VerificationAndEvaluationDetails } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { personSection } from './person.ts';
import type { ShownProof } from './shown-proof.ts';

type Element = VerificationAndEvaluationDetails;

const proof = { hashes: {} } as Proof;

/** A VERIFIED document of this surname, with a crop of its face. */
const verified = (id: string, type: EvidenceType, surname: string, mismatchedAttributes: string[] = []): Element => ({
  identityOperation: { id, name: 'ID_DOCUMENT', type: 'ADD' },
  participantContextId: id,
  progress: 'DONE',
  startDateTime: '2026-03-02T10:00:00.000',
  evaluationDetails: {
    evaluationDateTime: '2026-03-02T10:00:01.000',
    evidences: [
      {
        id,
        attributesReferenceAndConsistency: { mismatchedAttributes },
        statusAndScoring: { score: 'LEVEL2', strength: 'LEVEL4', status: 'VERIFIED' },
      },
    ],
  },
  evidenceDetails: {
    id,
    family: 'IDDOCUMENT',
    type,
    photoCrops: [{ id: `face of ${id}`, originalCaptureId: `image of ${id}` }],
    data: { holderInformation: [{ surname, givenNames: ['ANN'], dateOfBirth: '1990-01-01' }] },
  },
});

const shownOf = (elements: Element[], references: Partial<Identity['globalStatus']>): ShownProof => ({
  proof,
  identity: { globalStatus: { levelOfAssurance: 'LOA1', ...references } } as Identity,
  elements,
  images: new Map(elements.map(({ participantContextId: id }) => [`face of ${id}`, `data:${id}`])),
});

test('name and face are those of the references, whatever was submitted before them', () => {
  const elements = [
    verified('one', 'DRIVING_LICENSE', 'OTHER', ['surname']),
    verified('two', 'IDENTITY_CARD', 'FORMER'),
    verified('three', 'PASSPORT', 'PRESENT'),
  ];
  const references = { nameReferenceEvidenceId: 'three', portraitReferenceEvidenceId: 'three' };
  const { markup } = personSection(shownOf(elements, references));
  expect(markup).toContain('<p class="name">ANN PRESENT</p>');
  expect(markup).toContain('src="data:three"');
});

test('a document of another person is not what the level of assurance rests on, and shows no face', () => {
  const elements = [verified('one', 'DRIVING_LICENSE', 'OTHER', ['surname']), verified('two', 'PASSPORT', 'PRESENT')];
  const { markup } = personSection(shownOf(elements, { nameReferenceEvidenceId: 'two' }));
  expect(markup).toContain('<p class="name">ANN PRESENT</p>');
  expect(markup).toContain('src="data:two"');
  expect(markup).toContain('Because</th><td>verified: Passport (level 2)</td>');
  expect(markup).toContain('Names another person</th><td>Driving license (level 2)</td>');
});

test('the name on a health card is all of its lines', () => {
  const card = verified('one', 'MEDICARE', '');
  card.evidenceDetails!.data = {
    holderInformation: [{ fullname: 'MARIA LUZ', dateOfBirth: '1990-01-01' }],
    metadata: [
      { key: 'cardType', value: 'G' },
      { key: 'fullname2', value: 'KELLER ROSS' },
    ],
  };
  const { markup } = personSection(shownOf([card], { nameReferenceEvidenceId: 'one' }));
  expect(markup).toContain('<p class="name">MARIA LUZ KELLER ROSS</p>');
  expect(markup).toContain('Date of birth</th><td>1990-01-01</td>');
});
