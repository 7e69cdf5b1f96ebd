import type { Database } from '@assay/mongo';

/**
 * Says whether identities are being restored (tools/backup), so that one that is not there may have
 * a key. @throws when they are at the start: keys made now would stand in the way of those restored
 */
export const restoringIn = async ({ connection }: Database): Promise<() => Promise<boolean>> => {
  const isRestoring = async () => (await connection.collection('restoring').findOne({})) !== null;
  if (await isRestoring()) throw new Error('a restore has not ended: repeat it before the gateway starts');
  return isRestoring;
};
