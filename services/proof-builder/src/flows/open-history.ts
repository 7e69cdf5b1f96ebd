import {
  adjudicationDecided,
  contactChanged,
  type DataOf,
  type EventType,
  evidenceEvaluated,
  evidenceSubmitted,
  identityCreated,
  operationRecorded,
} from '@assay/contracts';
import { openJson, sealingContext } from '@assay/sealing';
import type { HistoryRecord } from '../domain/history.ts';

type Open = (purpose: string, sealed: string | undefined) => unknown;
type Opener = (data: never, open: Open) => unknown;

const opener = <E extends EventType>(event: E, work: (data: DataOf<E>, open: Open) => unknown): [string, Opener] => [
  event.type,
  work as Opener,
];

const OPENERS = new Map<string, Opener>([
  opener(identityCreated, (data, open) => open('details', data.sealedDetails)),
  opener(evidenceSubmitted, (data, open) => open('submission', data.sealedSubmission)),
  opener(contactChanged, (data, open) => open('contact', data.sealedContact)),
  opener(operationRecorded, (data, open) => open('caller', data.sealedCaller)),
  opener(adjudicationDecided, (data, open) => data.details.map(({ sealedComment }) => open('comment', sealedComment))),
  opener(evidenceEvaluated, (data, open) =>
    Object.fromEntries(
      data.evidences.map(({ evidenceId, proof }) => [
        evidenceId,
        open('evidence-details', proof.sealedEvidenceDetails),
      ]),
    ),
  ),
]);

/** The events whose sealed parts are opened. */
export const OPENED_TYPES: readonly string[] = [...OPENERS.keys()];

/** Opens the sealed parts of a history with the key of the identity, which is not stored. */
export const openHistory = (
  records: readonly HistoryRecord[],
  { key, tenantId, identityId }: { key: Buffer; tenantId: string; identityId: string },
): HistoryRecord[] => {
  const open: Open = (purpose, sealed) =>
    sealed === undefined ? undefined : openJson(key, sealingContext(tenantId, identityId, purpose), sealed);
  return records.map((record) => {
    const opened = OPENERS.get(record.type)?.(record.data as never, open);
    return opened === undefined ? record : { ...record, opened };
  });
};
