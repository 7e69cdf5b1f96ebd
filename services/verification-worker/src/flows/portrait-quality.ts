import { type ErrorObject, errorObject, type VerificationService } from '@assay/contracts';
import { type FaceTemplate, isUnreadable } from '@assay/engine';
import { lookAtPortrait } from './engine-calls.ts';
import type { ParticipantResult } from './participant-details.ts';
import type { VerificationInput } from './verification-input.ts';

export interface PortraitFound {
  results: ParticipantResult[];
  usable: boolean;
  face?: { template: FaceTemplate; width: number };
}

const service = (
  responseTimeMS: number,
  raised: readonly string[],
  codingQualityOk: boolean,
  { technical = false, recipe }: { technical?: boolean; recipe?: string | undefined } = {},
): VerificationService => ({
  serviceName: 'assay-faces',
  isTechnicalError: technical,
  responseTimeMS: Math.round(responseTimeMS),
  codingQualityOk,
  raisedIndicators: [...raised],
  ...(recipe ? { serviceVersion: recipe } : {}),
});

const rejected = (errors: ErrorObject[], ms: number, technical: boolean): PortraitFound => ({
  results: [
    {
      participantType: 'BIOMETRIC_QUALITY_CHECK',
      accepted: false,
      raised: [],
      errors,
      services: [service(ms, [], false, { technical })],
    },
  ],
  usable: false,
});

const LIVENESS = 'BIOMETRIC_LIVENESS_CHALLENGE';

/**
 * BIOMETRIC_QUALITY_CHECK and BIOMETRIC_LIVENESS: whether a portrait can be compared, and what is
 * known of who held the camera.
 */
export const checkPortrait = async (input: VerificationInput): Promise<PortraitFound> => {
  const { event, engine, intake } = input;
  const medium = event.data.media.find(({ role }) => role === 'PORTRAIT' || role === 'FRONT');
  if (!medium) return rejected([errorObject('BAD_IMAGE', 'Portrait')], 0, false);
  const image = await intake.medium(event, medium.mediaId);
  const started = performance.now();
  const seen = await lookAtPortrait(engine, { image });
  const ms = performance.now() - started;
  if ('failed' in seen) return rejected([seen.failed], ms, true);
  if (isUnreadable(seen)) return rejected([seen.error], ms, false);
  const quality = seen.indicators.filter((indicator) => !indicator.startsWith(LIVENESS));
  const liveness = seen.indicators.filter((indicator) => indicator.startsWith(LIVENESS));
  const measured = liveness.some((indicator) => !indicator.endsWith('_UNVERIFIED'));
  return {
    usable: seen.usable,
    results: [
      {
        participantType: 'BIOMETRIC_QUALITY_CHECK',
        accepted: seen.usable,
        raised: quality,
        errors: seen.errors,
        services: [service(seen.timings.total ?? ms, quality, seen.usable, { recipe: seen.template?.recipe })],
      },
      { participantType: 'BIOMETRIC_LIVENESS', accepted: measured, raised: liveness, services: [] },
    ],
    ...(seen.usable && seen.template ? { face: { template: seen.template, width: seen.template.faceWidth } } : {}),
  };
};
