import { formatDateTime, todayAt } from '@assay/contracts';
import type { Engine, FaceTemplate } from '@assay/engine';
import type { Case, CaseEvidence } from '../domain/case.ts';
import { openPairs } from '../domain/face-pairs.ts';
import type { FaceComparison } from '../domain/facts.ts';
import type { OnParticipantStarted } from './participant-log.ts';
import type { Sealer } from './sealer.ts';

export type CompareFaces = (current: Case, sealer: Sealer) => Promise<FaceComparison[]>;

/**
 * Compares every portrait of a case that may be compared with every other face it was not compared
 * with yet: a document that becomes the reference later needs no face then, and no key. All of them
 * were described.
 */
export const createCompareFaces = (
  engine: Engine,
  now: () => Date,
  onParticipantStarted: OnParticipantStarted,
): CompareFaces => {
  return async (current, sealer) => {
    const templateOf = ({ sealed }: CaseEvidence) => sealer.open<FaceTemplate>('template', sealed.face!);
    return Promise.all(
      openPairs(current, todayAt(now())).map(async ([portrait, reference]): Promise<FaceComparison> => {
        onParticipantStarted(current._id, portrait.evidenceId, 'BIOMETRIC_MATCHING');
        const startedAt = formatDateTime(now());
        const { distance, model, responseTimeMs } = await engine.compare(templateOf(portrait), templateOf(reference));
        return {
          portraitId: portrait.evidenceId,
          referenceId: reference.evidenceId,
          distance,
          referenceWidth: reference.face!.width,
          model,
          startedAt,
          responseTimeMs,
        };
      }),
    );
  };
};
