import { operate, travelAdjudicated } from './client/adjudicated.ts';
import { administrate } from './client/administrator.ts';
import { travelBriefly } from './client/brief.ts';
import { createCall } from './client/call.ts';
import { travelWithChips } from './client/chip-reader.ts';
import { travelConsenting } from './client/consenting.ts';
import { REFUSED_BY_END, travel } from './client/journeys.ts';
import { travelWithOwnKey } from './client/key-holder.ts';
import { rotate } from './client/rotation.ts';
import { uploadSlowly } from './client/slow-uploads.ts';
import { travelWithSession } from './client/user-agent.ts';
import type { Scenario } from './scenario.ts';
import { ADMINISTRATOR } from './suite/programs.ts';
import type { Stage } from './suite/stage.ts';
import type { Keys } from './suite/tenants.ts';
import type { Suspect } from './suspect.ts';

/**
 * Refusals that operators get: another operator has the case, it is decided, or its identity is
 * closed.
 */
const REFUSED = [404, 409, 410];

/** A client in a hurry repeats a call after this time. */
const HURRIED_MS = 200;

/** Starts clients and operators, each in a process of its own. */
export const startClients = (
  { world, masterKeys }: Stage,
  { ledger, outsiders }: Suspect,
  { tenantId, relyingService, sandbox, brief: briefKey }: Keys,
  scenario: Scenario,
): void => {
  const { random } = world;
  const { brief, hookChanges, rotations } = scenario;
  const clients = world.start('clients');
  const onForbidden = (what: string): void => void ledger.forbidden.push(what);
  const begin = (afterMs: number, work: () => Promise<void>): void => {
    ledger.underWay += 1;
    world.after(afterMs, clients, 'a client begins', () => {
      void work().finally(() => {
        ledger.underWay -= 1;
      });
    });
  };
  const asAdministrator = createCall({ credentials: { apikey: ADMINISTRATOR }, onForbidden });
  const callsWith = (key: string) => ({
    asAdministrator,
    call: createCall({ credentials: { apikey: key }, onForbidden }),
    callInHurry: createCall({
      credentials: { apikey: key },
      onForbidden,
      refusals: REFUSED_BY_END,
      pauseMs: HURRIED_MS,
    }),
  });
  /** Calls for identities that may have expired. */
  const callsBriefly = (key: string) => {
    const call = createCall({ credentials: { apikey: key }, onForbidden, refusals: REFUSED_BY_END });
    return { asAdministrator, call, callInHurry: call };
  };
  const usual = { ...callsWith(relyingService), ledger, outsiders, random };
  for (const { afterMs, journey } of scenario.clients) begin(afterMs, () => travel(usual, journey));
  for (const one of scenario.userAgents) begin(one.afterMs, () => travelWithSession(usual, one));
  for (const one of scenario.slowUploads) begin(one.afterMs, () => uploadSlowly(usual, one));
  if (rotations.length > 0) begin(0, () => rotate(asAdministrator, masterKeys, rotations));
  for (const one of scenario.chipReaders) begin(one.afterMs, () => travelWithChips(usual, one));
  for (const one of scenario.consenting) begin(one.afterMs, () => travelConsenting(usual, one));
  for (const one of scenario.keyHolders) begin(one.afterMs, () => travelWithOwnKey(usual, tenantId, one));
  if (hookChanges.length > 0) {
    world.after(0, world.start('a watchful administrator'), 'an administrator begins', () => {
      void administrate({ call: asAdministrator, outsiders, tenantId, now: world.now }, hookChanges);
    });
  }
  if (brief && briefKey !== undefined) {
    const travelling = { ...callsBriefly(briefKey), ledger, outsiders, random };
    for (const one of brief.clients) begin(one.afterMs, () => travelBriefly(travelling, one));
  }
  if (!sandbox) return;
  const isBrief = brief?.adjudicates === true;
  const calls = (isBrief ? callsBriefly : callsWith)(sandbox.relyingService);
  for (const one of scenario.adjudicated)
    begin(one.afterMs, () => travelAdjudicated({ ...calls, ledger, outsiders, random }, one, { isBrief }));
  for (const [operator, apikey] of sandbox.operators.entries()) {
    const asked = createCall({ credentials: { apikey }, onForbidden, refusals: REFUSED });
    world.after(0, world.start(`operator ${operator}`), 'an operator begins', () => {
      void operate({ operator, call: asked, ledger, random });
    });
  }
};
