/**
 * identity.status-changed: nothing of an evaluation depends on it. Work on a paused identity goes
 * on, and the gateway knows what to make of its outcome; a transaction that timed out is closed,
 * which is heard of by itself.
 */
export const onIdentityStatusChanged = async (): Promise<void> => undefined;
