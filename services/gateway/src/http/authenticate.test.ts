import type { ErrorName } from '@assay/contracts';
import { quietLog } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { type AuthenticationDeps, authenticate } from './authenticate.ts';
import { callOf } from './call.ts';

type Known = Awaited<ReturnType<AuthenticationDeps['sessions']['identify']>>;

const known = (follows: boolean) =>
  ({
    session: { _id: 'session-1', identityId: 'identity-1' },
    tokenHash: 'hash',
    tenant: { tenantId: 'tenant-1', settings: {}, effective: {} },
    ...(follows ? { follows: true } : {}),
  }) as unknown as Known;

/** A request of a session that was known in one way when it began, and is in another now. */
const lookedAtAgain = async (before: Known, now: Known): Promise<'ADMITTED' | ErrorName> => {
  const answers = [before, now];
  const deps = { sessions: { identify: async () => answers.shift() }, now: () => new Date(), log: quietLog };
  const request = { headers: { authorization: 'Bearer token' }, originalUrl: '/', socket: {} };
  const response = { locals: {}, set: () => undefined };
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown): void => (error ? reject(error) : resolve());
    authenticate(deps as unknown as AuthenticationDeps)(request as never, response as never, next);
  });
  const [check] = callOf(response as never).atEnd.checks;
  return check!().then(
    () => 'ADMITTED' as const,
    ({ error }: { error: ErrorName }) => error,
  );
};

test.each([
  ['was handed over meanwhile', known(false), known(true), 'UNAUTHENTICATED'],
  ['was taken back meanwhile', known(true), known(false), 'ADMITTED'],
  ['is what it was', known(true), known(true), 'ADMITTED'],
  ['has ended', known(false), undefined, 'UNAUTHENTICATED'],
] as const)('a slow request of a session that %s', async (_what, before, now, wanted) => {
  expect(await lookedAtAgain(before, now)).toBe(wanted);
});
