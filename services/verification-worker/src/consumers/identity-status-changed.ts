/**
 * identity.status-changed: no evaluation depends on it. Work on a paused identity continues, and
 * the gateway handles the result; a transaction that timed out is closed, which has an event of its
 * own.
 */
export const onIdentityStatusChanged = async (): Promise<void> => undefined;
