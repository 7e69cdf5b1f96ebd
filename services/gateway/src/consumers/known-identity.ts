import { ApiError } from '@assay/http';

/** An identity whose tombstone is forgotten has nothing to change: the event is acknowledged without effect. */
export const ofKnownIdentity = async <T>(change: Promise<T>): Promise<T | undefined> =>
  change.catch((error: unknown) => {
    if (error instanceof ApiError && (error.error === 'NOT_FOUND' || error.error === 'CLOSED')) return undefined;
    throw error;
  });
