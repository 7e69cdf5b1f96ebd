import { todayAt } from '@assay/contracts';
import { type Engine, isUnreadable } from '@assay/engine';
import { crashPoint } from '@assay/runtime';
import type { Intake } from '../clients/intake.ts';
import type { Case, CaseEvidence } from '../domain/case.ts';
import { facesToDescribe } from '../domain/face-pairs.ts';
import { lookAtPortrait } from './engine-calls.ts';
import type { Message } from './evaluate-change.ts';
import type { Sealer } from './sealer.ts';

/** A face as it is stored; undefined where the engine can make nothing of it. */
type DescribedFace = { width: number; sealed: string } | undefined;

/** Faces that were described on behalf of one message, by their evidence. */
export type DescribedFaces = Map<string, DescribedFace>;

/**
 * The case with every face described that is compared next. `described`: those of earlier attempts
 * at the same message, which are not described again.
 */
export type DescribeFaces = (
  current: Case,
  message: Message,
  sealer: Sealer,
  described: DescribedFaces,
) => Promise<Case>;

const withFace = ({ undescribed: _done, face: _former, ...rest }: CaseEvidence, found: DescribedFace): CaseEvidence =>
  found ? { ...rest, face: { width: found.width }, sealed: { ...rest.sealed, face: found.sealed } } : rest;

/**
 * Describes the faces of chips once a portrait is compared with them, from the portraits as they
 * were stored: most chips are never compared with anything. What the engine fails at has no face
 * from then on, as if it had failed when the chip came; one that is away makes the message wait.
 */
export const createDescribeFaces = (engine: Engine, intake: Pick<Intake, 'medium'>, now: () => Date): DescribeFaces => {
  const describe = async (mediaId: string, message: Message, sealer: Sealer): Promise<DescribedFace> => {
    const image = await intake.medium(message, mediaId);
    const seen = await lookAtPortrait(engine, { image, of: 'DOCUMENT' });
    const template = 'failed' in seen || isUnreadable(seen) ? undefined : seen.template;
    return template && { width: template.faceWidth, sealed: sealer.seal('template', template) };
  };
  return async (current, message, sealer, described) => {
    const wanted = facesToDescribe(current, todayAt(now()));
    if (wanted.length === 0) return current;
    const fresh = wanted.filter(({ evidenceId }) => !described.has(evidenceId));
    await Promise.all(
      fresh.map(async ({ evidenceId, undescribed }) => {
        described.set(evidenceId, await describe(undescribed!, message, sealer));
      }),
    );
    if (fresh.length > 0) crashPoint('verification-worker.after-description-before-write');
    const evidences = current.evidences.map((one) =>
      wanted.includes(one) ? withFace(one, described.get(one.evidenceId)) : one,
    );
    return { ...current, evidences };
  };
};
