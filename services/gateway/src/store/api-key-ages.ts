import { trusted } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import type { KeyModel } from './api-key-document.ts';

const MOST = 100;

/**
 * The valid keys that were made, or last used, before these times, and the number of
 * administrators' keys.
 */
export const createKeyAges = (model: KeyModel, now: Clock) => async (oldBefore: Date, unusedBefore: Date) => {
  const absent = trusted({ $exists: false });
  const working = { $or: [{ expiresAt: absent }, { expiresAt: trusted({ $gt: now() }) }] };
  const idsOf = async (filter: object): Promise<string[]> => {
    const found = await model.find(filter, { _id: 1 }).sort({ _id: 1 }).limit(MOST).lean<{ _id: string }[]>();
    return found.map(({ _id }) => _id);
  };
  const before = trusted({ $lte: unusedBefore });
  const unusedSince = { $or: [{ lastUsedAt: absent }, { lastUsedAt: before }] };
  const administrators = { tenantId: absent, role: 'ADMINISTRATOR', ...working };
  const [old, unused, all, endless] = await Promise.all([
    idsOf({ createdAt: trusted({ $lte: oldBefore }), ...working }),
    idsOf({ createdAt: before, $and: [unusedSince, working] }),
    model.countDocuments(administrators),
    model.countDocuments({ ...administrators, expiresAt: absent }),
  ]);
  return { old, unused, administrators: { working: all, endless } };
};
