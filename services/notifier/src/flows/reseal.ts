import { createApart, type Log } from '@assay/runtime';
import type { Endpoint, EndpointStore } from '../store/endpoints.ts';
import type { Sealer } from '../store/sealer.ts';

const NAMES = ['sealedSecret', 'sealedFormerSecret'] as const;

interface Deps {
  endpoints: Pick<EndpointStore, 'all' | 'replaceSecret'>;
  sealer: Sealer;
  log: Log;
}

/**
 * One round that seals anew what a former master key sealed; gives how many secrets there were. One
 * that no key opens holds up no other.
 */
export const createReseal = ({ endpoints, sealer, log }: Deps) => {
  const apart = createApart({ sweeper: 'resealing', log });

  const sealAnew = async (endpoint: Endpoint): Promise<number> => {
    let found = 0;
    for (const name of NAMES) {
      const sealed = endpoint[name];
      const anew = sealed === undefined ? undefined : sealer.sealSecretAnew(endpoint._id, sealed);
      if (sealed === undefined || anew === undefined) continue;
      await endpoints.replaceSecret(endpoint._id, name, sealed, anew);
      found += 1;
    }
    return found;
  };

  return async (): Promise<number> => {
    let found = 0;
    await apart.each(
      await endpoints.all(),
      ({ _id }) => _id,
      async (endpoint) => {
        found += await sealAnew(endpoint);
      },
    );
    if (found > 0) log.info({ msg: 'secrets.sealed-anew', count: found });
    return found;
  };
};
