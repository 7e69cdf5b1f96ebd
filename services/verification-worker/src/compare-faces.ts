import { formatDateTime } from '@assay/contracts';
import type { Case, CaseEvidence } from './domain/case.ts';
import type { FaceComparison } from './domain/facts.ts';
import type { Engine } from './engine/engine.ts';
import type { FaceTemplate } from './engine/faces/template.ts';
import type { Begun } from './participants/observe.ts';
import type { Vault } from './vault.ts';

export type CompareFaces = (of: Case, vault: Vault) => Promise<FaceComparison[]>;

type Pair = readonly [portrait: CaseEvidence, reference: CaseEvidence];

const pairsOf = ({ evidences, comparisons }: Case): Pair[] => {
  const faces = evidences.filter(({ face, sealed }) => face !== undefined && sealed.face !== undefined);
  const known = (portrait: CaseEvidence, reference: CaseEvidence) =>
    comparisons.some((one) => one.portraitId === portrait.evidenceId && one.referenceId === reference.evidenceId);
  return faces
    .filter(({ kind }) => kind === 'portrait')
    .flatMap((portrait) =>
      faces
        .filter((reference) => reference.kind !== 'portrait' && !known(portrait, reference))
        .map((reference): Pair => [portrait, reference]),
    );
};

/**
 * Compares every portrait of a case with every other face it was not compared with yet: a document that becomes the reference later needs no face then,
 * and no key.
 */
export const createCompareFaces = (engine: Engine, now: () => Date, begun: Begun): CompareFaces => {
  return async (of, vault) => {
    const templateOf = ({ sealed }: CaseEvidence) => vault.open<FaceTemplate>('template', sealed.face!);
    return Promise.all(
      pairsOf(of).map(async ([portrait, reference]): Promise<FaceComparison> => {
        begun(of._id, portrait.evidenceId, 'BIOMETRIC_MATCHING');
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
