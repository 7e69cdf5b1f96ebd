import { formatDateTime } from '@assay/contracts';
import { ok } from '@assay/http';
import { type Static, Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import type { MasterKeyFlow, MasterKeyStatus } from '../flows/master-keys.ts';
import { type Route, route } from './route.ts';

const members = {
  current: Type.String({ description: 'Id of the key that wraps' }),
  since: Type.String(),
  keys: Type.Array(
    Type.Object({
      keyId: Type.String(),
      wraps: Type.Integer({
        description:
          'Keys it wraps: of identities, and the one of the gateway itself; a former key with 0 can be taken away',
      }),
    }),
  ),
  remaining: Type.Integer({ description: 'Keys that a former key wraps still' }),
};
const MasterKeysSchema = Type.Object(members);
const RotationSchema = Type.Object({
  ...members,
  rotated: Type.Boolean({ description: 'false: the first key of the list is in force already; add a further one' }),
});

const viewOf = ({ since, ...status }: MasterKeyStatus): Static<typeof MasterKeysSchema> => ({
  ...status,
  since: formatDateTime(since),
});

const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS };

/**
 * The master keys that wrap the identities' keys: their ids and how far a rotation is. No key is
 * ever shown.
 */
export const adminMasterKeyRoutes = ({ masterKeyFlow }: { masterKeyFlow: MasterKeyFlow }): Route[] => [
  route({
    ...common,
    id: 'listMasterKeys',
    method: 'get',
    path: '/master-keys',
    summary: 'The master keys, and how many keys of identities each wraps',
    reply: { description: 'Master keys', schema: MasterKeysSchema },
    errors: [],
    handle: async () => ok(viewOf(await masterKeyFlow.status())),
  }),
  route({
    ...common,
    id: 'rotateMasterKey',
    audit: 'master-key.rotate',
    method: 'post',
    path: '/master-keys/rotations',
    summary: 'Put the next master key in force; keys of identities are wrapped anew in the background',
    reply: { description: 'Master keys', schema: RotationSchema },
    errors: [],
    handle: async () => {
      const { rotated, ...status } = await masterKeyFlow.rotate();
      return ok({ ...viewOf(status), rotated });
    },
  }),
];
