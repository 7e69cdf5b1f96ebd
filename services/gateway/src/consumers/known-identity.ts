import { isRefusal, type Refusal } from '../domain/change.ts';

/**
 * An identity that is closed, or whose tombstone is forgotten, has nothing to change: the event is
 * acknowledged without effect.
 */
export const ofKnownIdentity = async <T extends object>(change: Promise<T | Refusal>): Promise<T | undefined> => {
  const result = await change;
  if (!isRefusal(result)) return result;
  if (result.refused !== 'NOT_FOUND' && result.refused !== 'CLOSED')
    throw new Error(`the change was refused: ${result.refused}`);
  return undefined;
};
