import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import { type ClientCall, createCall } from './call.ts';
import { createIdentity, pathOf, settle } from './identity-calls.ts';
import { submit } from './journeys.ts';
import type { Travelling } from './travelling.ts';

const SUBMITTED = ['address', 'passport', 'picture', 'attributes', 'file'] as const;

/** The work of a person's device, which acts under a session that a client gave it. */
export interface UserAgent {
  afterMs: number;
  /** What it submits, and when it moves the session to another device, or takes it back. */
  steps: ((typeof SUBMITTED)[number] | 'handOver' | 'takeBack' | 'pause')[];
  /** The session stays, all its steps are done, or the client ends it. */
  end: 'open' | 'done' | 'ended';
}

export const userAgentOf = (random: Random): UserAgent => ({
  afterMs: random.next() * 10_000,
  steps: Array.from({ length: random.between(1, 5) }, () =>
    random.pick([...SUBMITTED, 'handOver', 'handOver', 'takeBack', 'pause'] as const),
  ),
  end: random.pick(['open', 'done', 'ended'] as const),
});

/** What a device without the session is answered: unknown, or open on another device. */
const REFUSED = [401, 410];

/** A device with the token of a session. */
interface Device {
  call: ClientCall;
  /** The same calls where they must be refused; answers whether they were not. */
  isAdmitted(method: string, path: string): Promise<boolean>;
}

const deviceWith = ({ ledger }: Travelling, token: string, name: string): Device => {
  const credentials = { authorization: `Bearer ${token}`, 'x-device-id': name };
  const onForbidden = (what: string): void => void ledger.forbidden.push(`${name}: ${what}`);
  const refused = createCall({ credentials, onForbidden, refusals: REFUSED });
  return {
    call: createCall({ credentials, onForbidden }),
    isAdmitted: async (method, path) => (await refused(method, path)) !== undefined,
  };
};

const CURRENT = '/svc/v1/user-agent-sessions/current';
const HANDOVER = '/svc/v1/user-agent-sessions/handover';

/** Submits what the person says of themselves, or a file. */
const submitStatement = async (
  { call, ledger }: Travelling,
  identityId: string,
  what: 'attributes' | 'file',
): Promise<void> => {
  const answer =
    what === 'file'
      ? await call('POST', `${pathOf(identityId)}/additional-files`, { part: 'File', picture: Buffer.from('a file') })
      : await call('POST', `${pathOf(identityId)}/attributes`, { json: { surname: { value: 'SPECIMEN' } } });
  if (answer) ledger.accepted.push({ identityId, evidenceId: answer.body.id, isFile: what === 'file' });
};

/** The devices of a person: who acts, who may take the session back, and who may do neither. */
interface Devices {
  acts: Device;
  follower?: Device;
  former: Device[];
}

const handOver = async (travelling: Travelling, identityId: string, devices: Devices): Promise<Devices> => {
  const { acts, follower, former } = devices;
  const given = await acts.call('POST', `${pathOf(identityId)}/user-agent-sessions/handover`);
  if (!given) return devices;
  const next = deviceWith(travelling, given.body.token, `device ${former.length + 2}`);
  await next.call('GET', CURRENT);
  return { acts: next, follower: acts, former: follower ? [...former, follower] : former };
};

const takeBack = async ({ acts, follower, former }: Devices): Promise<Devices> => {
  if (!follower || !(await follower.call('DELETE', HANDOVER))) return { acts, former };
  return { acts: follower, former: [...former, acts] };
};

/** Makes the steps of a person, one after the other, and answers with the device that acts. */
const act = async (travelling: Travelling, identityId: string, token: string, { steps }: UserAgent) => {
  const { ledger, random } = travelling;
  let devices: Devices = { acts: deviceWith(travelling, token, 'device 1'), former: [] };
  for (const step of steps) {
    const agent = { ...travelling, call: devices.acts.call };
    if (step === 'pause') await pause(random.between(1, 8000));
    else if (step === 'handOver') devices = await handOver(travelling, identityId, devices);
    else if (step === 'takeBack') devices = await takeBack(devices);
    else if (step === 'attributes' || step === 'file') await submitStatement(agent, identityId, step);
    else await submit(agent, identityId, step);
  }
  const { acts, follower, former } = devices;
  for (const one of follower ? [...former, follower] : former)
    if (await one.isAdmitted('GET', CURRENT)) ledger.forbidden.push('a device acts that has the session no more');
  return acts;
};

/** Gives a session to a person's device, which submits, and looks whether it ends when it must. */
export const travelWithSession = async (travelling: Travelling, userAgent: UserAgent): Promise<void> => {
  const { call, ledger } = travelling;
  const identityId = await createIdentity(travelling);
  if (identityId === undefined) return;
  const at = `${pathOf(identityId)}/user-agent-sessions`;
  await call('POST', `${pathOf(identityId)}/consents`, { json: [{ approved: true, type: 'GIV' }] });
  const given = await call('POST', at, { json: { expiresInSeconds: 86_400 } });
  if (!given) return;
  const device = await act(travelling, identityId, given.body.token, userAgent);
  if (userAgent.end === 'done') await device.call('POST', `${CURRENT}/done`);
  if (userAgent.end !== 'ended') return void (await settle(travelling, identityId));
  await call('DELETE', `${at}/${given.body.sessionId}`);
  if (await device.isAdmitted('GET', CURRENT)) ledger.forbidden.push('a session acts that was ended');
};
