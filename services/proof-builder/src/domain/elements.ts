import type { Consent } from '@assay/contracts';
import { contactAtCreation } from './contact.ts';
import { additionOf, callOf, deletionOf, type Element, type ElementContext } from './evidence-elements.ts';
import { withFurtherCalls, withIdentityCalls } from './further-calls.ts';
import { type ConsentsChange, type History, knownEvidence } from './history.ts';
import { withoutEmpty } from './without-empty.ts';

const consentElement =
  (history: History, context: ElementContext, type: 'ADD' | 'DELETE') =>
  (consent: Consent, change: ConsentsChange | undefined): Element => {
    const call =
      history.operations.find(({ operationId }) => operationId === change?.operationId) ??
      callOf(history, consent.consentId, type);
    return {
      identityOperation: { id: consent.consentId, name: 'CONSENTS', type },
      participantContextId: consent.consentId,
      progress: 'DONE',
      startDateTime: call?.rest.startDateTime ?? change?.at.slice(0, 23) ?? context.startDateTime,
      ...withoutEmpty({ businessId: context.businessId }),
      consentsDetails: { consents: [consent] },
      ...withoutEmpty({ processingDetails: call?.rest }),
    };
  };

/** One element for each consent ever recorded, and a second one for each that was deleted. */
const consentElements = (history: History, context: ElementContext): Element[] => {
  const add = consentElement(history, context, 'ADD');
  const remove = consentElement(history, context, 'DELETE');
  const added = new Map<string, Element>();
  const deleted = new Map<string, Element>();
  for (const change of history.consentChanges)
    for (const consent of change.change.consents) {
      const { consentId } = consent;
      if (!added.has(consentId)) added.set(consentId, add(consent, change.change.type === 'ADD' ? change : undefined));
      if (change.change.type === 'DELETE') deleted.set(consentId, remove(consent, change));
    }
  for (const consent of history.consentChanges.at(-1)?.consents ?? [])
    if (!added.has(consent.consentId)) added.set(consent.consentId, add(consent, undefined));
  return [...added.values(), ...deleted.values()];
};

const rank = ({ startDateTime, identityOperation, participantContextId }: Element): string =>
  `${startDateTime.padEnd(23, '0')} ${identityOperation.type} ${participantContextId}`;

/**
 * The child of an element: the newest attached element that depends on it, else the newest of all.
 */
const withChildren = (elements: readonly Element[], history: History): Element[] => {
  const childOf = (parentId: string): string | undefined => {
    const children = elements
      .filter(({ identityOperationParent }) => identityOperationParent === parentId)
      .map(({ participantContextId }) => participantContextId);
    return children.findLast((id) => !history.deletions.has(id)) ?? children.at(-1);
  };
  const known = new Set(elements.map(({ participantContextId }) => participantContextId));
  return elements.map((element) => {
    if (element.identityOperation.type === 'DELETE') return element;
    const { identityOperationParent: parent, ...rest } = element;
    return {
      ...rest,
      ...withoutEmpty({
        identityOperationParent: parent && known.has(parent) ? parent : undefined,
        identityOperationChild: childOf(element.participantContextId),
      }),
    };
  });
};

/**
 * The contacts that the client stated at creation belong to no evidence: they are in the first
 * element that has the field.
 */
const withContactAtCreation = (elements: readonly Element[], history: History): Element[] => {
  const stated = history.created ? contactAtCreation(history.created.details) : undefined;
  if (!stated) return [...elements];
  const first = elements.findIndex(({ identityOperation }) => identityOperation.type === 'ADD');
  return elements.map((element, at) =>
    at === first ? { ...element, contactDetails: { ...stated, ...element.contactDetails } } : element,
  );
};

/**
 * verificationAndEvaluationDetails.json: one element for each evidence and each consent, two for a
 * deleted one, in the order in which they began.
 */
export const elementsOf = (history: History, context: ElementContext): Element[] => {
  const ids = new Set([...knownEvidence(history), ...history.deletions.keys()]);
  const elements = [
    ...[...ids].map((id) => withFurtherCalls(additionOf(history, id, context), history)),
    ...[...ids].flatMap((id) => deletionOf(history, id, context)),
    ...consentElements(history, context),
  ].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return withIdentityCalls(withContactAtCreation(withChildren(elements, history), history), history);
};
