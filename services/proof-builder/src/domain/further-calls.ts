import { type CALL_KEYS, type Metadata, type Operation, present } from '@assay/contracts';
import type { Element } from './evidence-elements.ts';
import type { History } from './history.ts';

/*
 * An element has room for one call, the one that began it. Every other is in the metadata of its
 * evidence, as processingDetails would have it, in JSON.
 */

const metadataOf =
  (key: (typeof CALL_KEYS)[number]) =>
  ({ name, rest }: Operation): Metadata => ({
    key,
    value: JSON.stringify({ ...present({ operation: name }), ...rest }),
  });

const withMetadata = (element: Element, added: readonly Metadata[]): Element => {
  const { evidenceDetails } = element;
  if (!evidenceDetails || added.length === 0) return element;
  const { data } = evidenceDetails;
  return {
    ...element,
    evidenceDetails: { ...evidenceDetails, data: { ...data, metadata: [...(data?.metadata ?? []), ...added] } },
  };
};

/**
 * The further calls about an evidence: a code confirmed or requested again, frames, the end of a
 * session, data of a chip.
 */
export const withFurtherCalls = (element: Element, { operations }: History): Element => {
  const { participantContextId, identityOperation } = element;
  if (identityOperation.type === 'DELETE') return element;
  const calls = operations.filter(
    ({ type, contextIds }) => type === 'ADD' && contextIds.includes(participantContextId),
  );
  return withMetadata(element, calls.slice(1).map(metadataOf('furtherCall')));
};

/**
 * Calls that belong to no element (the creation, `resume`, a code that was never confirmed): they
 * are in the first element of an evidence.
 */
export const withIdentityCalls = (elements: readonly Element[], { operations }: History): Element[] => {
  const known = new Set(elements.map(({ participantContextId }) => participantContextId));
  const calls = operations.filter(({ contextIds }) => !contextIds.some((id) => known.has(id)));
  const first = elements.findIndex(
    ({ identityOperation, evidenceDetails }) => identityOperation.type === 'ADD' && evidenceDetails,
  );
  return elements.map((element, at) =>
    at === first ? withMetadata(element, calls.map(metadataOf('identityCall'))) : element,
  );
};
