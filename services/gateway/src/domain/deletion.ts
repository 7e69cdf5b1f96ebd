import { evaluationPublished, evidenceDeleted, formatDateTime, present } from '@assay/contracts';
import { applied, type ChangeResult, newEvent, refuse } from './change.ts';
import { OPERATIONS, withoutContact } from './contacts.ts';
import type { Identity } from './identity.ts';
import type { OperationKind } from './operations.ts';
import { awaiting, identityStatusOf } from './status.ts';
import { whyNotTakenBack } from './transaction.ts';

export interface Deletion {
  evidenceId: string;
  operationId: string;
  now: Date;
}

/** The record of the call that deletes an evidence, or a contact that has not become one. */
export const kindOfDeletion = ({ evidences, contacts }: Identity, evidenceId: string): OperationKind => {
  const contact = contacts.find((entry) => entry.evidenceId === evidenceId);
  const name =
    evidences.find((entry) => entry.evidenceId === evidenceId)?.operation ??
    (contact && OPERATIONS[contact.channel].start);
  return { ...present({ name }), type: 'DELETE', contextIds: [evidenceId] };
};

/**
 * Deletes an evidence: it answers 404 from now on, and an Evaluation with evidenceOperation DELETED
 * announces it. A contact whose one-time code was not confirmed is no evidence yet: it is removed,
 * its code becomes invalid, and nothing is announced.
 */
export const deleteEvidence = (identity: Identity, { evidenceId, operationId, now }: Deletion): ChangeResult => {
  const refused = whyNotTakenBack(identity);
  if (refused) return refuse(refused);
  const contact = withoutContact(identity, evidenceId);
  const evidence = identity.evidences.find((entry) => entry.evidenceId === evidenceId);
  if (!evidence) return contact ? { ...contact, events: [] } : refuse('NOT_FOUND');
  const deletedEvidenceIds = [...identity.deletedEvidenceIds, evidenceId];
  const set = {
    ...contact?.set,
    evidences: identity.evidences.filter((entry) => entry !== evidence),
    deletedEvidenceIds,
    ...awaiting(identity, { ...identity, deletedEvidenceIds }),
  };
  const at = formatDateTime(now);
  const { type, operation } = evidence;
  return {
    set,
    ...present({ unset: contact?.unset }),
    events: [
      newEvent(evidenceDeleted, { evidenceId, type, operation, reason: 'DELETED', deletedAt: at, operationId }),
      newEvent(evaluationPublished, {
        identityStatus: identityStatusOf(applied(identity, { set })),
        completedAt: at,
        ...present({ sealedBusinessId: identity.sealedBusinessId }),
        evidence: { evidenceId, evidenceType: type, evidenceOperation: 'DELETED' },
      }),
    ],
  };
};
