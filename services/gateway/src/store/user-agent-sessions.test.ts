import { newId } from '@assay/runtime';
import { openBackends } from '@assay/testing/backends';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createUserAgentSessions, newToken, tokenHashOf, type UserAgentSessions } from './user-agent-sessions.ts';

let backends: Awaited<ReturnType<typeof openBackends>>;
let sessions: UserAgentSessions;
beforeAll(async () => {
  backends = await openBackends('gateway');
  sessions = createUserAgentSessions({ mongodb: await backends.database('gateway') });
});
afterAll(() => backends.close());

test('a late attempt at a request does not replace the token that its repeat was answered', async () => {
  const [_id, identityId] = [newId(), newId()];
  const makes = async (attempt: number) => {
    const tokenHash = tokenHashOf(newToken());
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) };
    const tokens = { tokenHash, tokenHashes: [tokenHash], formerTokenHashes: [] };
    const session = {
      ...{ _id, identityId, tenantId: 'a tenant', attempt, revision: 0, steps: [] },
      ...times,
      ...tokens,
    };
    return { tokenHash, isStored: await sessions.create(session) };
  };
  expect(await makes(0)).toMatchObject({ isStored: true });
  const { tokenHash } = await makes(1);
  expect(await makes(0)).toMatchObject({ isStored: false });
  expect(await sessions.findByToken(tokenHash)).toMatchObject({ _id, tokenHash });
});
