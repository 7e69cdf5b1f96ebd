import type { DocumentJob, Engine } from '@assay/engine';
import { idleEngine } from './idle-engine.ts';
import { anIdentity, type Rig, submission } from './rig.ts';

const UNREADABLE = { error: { code: '1500' as const, field: 'DocumentFront', message: 'not an image' } };
const FIRST_OF_BANK = 8;

/**
 * An engine for a bank that submits too much and a town. After the first eight images, one of the
 * bank is looked at only when one of the town has been.
 */
export const createTownFirst = () => {
  /** Whose images the engine got, in that order: B or T. */
  const looked: string[] = [];
  let letGo: () => void = () => undefined;
  const untilLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const engine: Engine = {
    ...idleEngine,
    document: async ({ front }: DocumentJob) => {
      const whose = String.fromCharCode(front[0]!);
      looked.push(whose);
      if (whose === 'T') letGo();
      else if (looked.length > FIRST_OF_BANK) await untilLetGo;
      return UNREADABLE;
    },
  };
  return { engine, looked };
};

/** By this clock, whatever is submitted has waited for ten seconds. */
export const tenSecondsAhead = (): Date => new Date(Date.now() + 10_000);

const TENANTS = { bank: 'bank-0000000000000001', town: 'town-0000000000000001' };

/** So many images of a tenant, each of an identity of its own. */
export const imagesOf = (tenant: keyof typeof TENANTS, count: number, rig: Rig) =>
  Array.from({ length: count }, () =>
    submission(anIdentity(TENANTS[tenant]), rig, { images: { FRONT: Buffer.from(tenant[0]!.toUpperCase()) } }),
  );
