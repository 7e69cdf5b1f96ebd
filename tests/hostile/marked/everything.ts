import { type newIdentity, readPassport, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import {
  address,
  captureDetails,
  commented,
  headers,
  healthCard,
  licence,
  marked,
  NUMBER,
  NUMBER_DIALLED,
  personalAttributes,
  withKey,
} from './person.ts';

export type Identity = Awaited<ReturnType<typeof newIdentity>>;

type Part = string | { bytes: Buffer; filename: string; type: string };
const upload = async (key: string, path: string, parts: [string, Part][], more: Record<string, string>) => {
  const form = new FormData();
  for (const [name, part] of parts)
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([new Uint8Array(part.bytes)], { type: part.type }), part.filename);
  const response = await fetch(new URL(path, readStack().baseUrl), {
    method: 'POST',
    body: form,
    headers: { apikey: key, ...more },
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
};
const file = (bytes: Buffer, name: string): Part => ({ bytes, filename: `${marked(name)}.jpg`, type: 'image/jpeg' });

const codeTo = (to: string): Promise<string> =>
  waitFor(`the code to ${to}`, async () => {
    const messages = await (await fetch(`${readStack().mailcatcher}/messages?to=${encodeURIComponent(to)}`)).text();
    return /\b(\d{6})\b/.exec(messages.replaceAll(to, ''))?.[1];
  });

const contacts = async ({ relyingService }: Tenant, identity: Identity): Promise<Record<string, string>> => {
  const ids: Record<string, string> = {};
  const mailbox = `${marked('address')}-${identity.id}@mail.example`;
  for (const [channel, value, to] of [
    ['email', mailbox, mailbox],
    ['mobile', NUMBER, NUMBER_DIALLED],
  ] as const) {
    const at = `${identity.at}/contacts/${channel}`;
    const begun = await relyingService.post(
      at,
      { value, language: 'en', system: marked('system') },
      withKey('contact'),
    );
    const code = await codeTo(to);
    await relyingService.post(`${at}/otp`, { otp: code === '111111' ? '222222' : '111111' }, withKey('otp'));
    await relyingService.post(`${at}/otp`, { otp: code }, withKey('otp'));
    ids[channel] = begun.body.id;
  }
  return ids;
};

const decide = async ({ operator }: Tenant, evidenceId: string) => {
  const found = await waitFor('the case', async () => {
    const { body } = await operator.get('/operator/v1/cases?state=OPEN', headers);
    return body.items.find((each: { evidenceId: string }) => each.evidenceId === evidenceId);
  });
  const at = `/operator/v1/cases/${found.caseId}`;
  await operator.post(`${at}/claim`, undefined, withKey('claim'));
  const refused = { decision: 'REJECT', reasons: [marked('reason')], comment: marked('refusedcomment') };
  await operator.post(`${at}/decision`, refused, withKey('refused'));
  const decision = { decision: 'ACCEPT', reasons: [], comment: `${marked('comment')} compared by eye` };
  const decided = await operator.post(`${at}/decision`, decision, withKey('decision'));
  if (decided.status !== 200) throw new Error(`not decided: ${JSON.stringify(decided.body)}`);
  return found.caseId as string;
};

const session = async ({ relyingService }: Tenant, { at }: Identity) => {
  const { body } = await relyingService.post(
    `${at}/user-agent-sessions`,
    { returnUrl: `https://client.example/back?who=${marked('return')}`, locale: 'en-US', steps: ['DOCUMENT'] },
    withKey('session'),
  );
  const call = (path: string) =>
    fetch(new URL(path, readStack().baseUrl), { headers: { ...headers, authorization: `Bearer ${body.token}` } });
  await call('/svc/v1/user-agent-sessions/current');
  await call(at);
};

/** Everything that a client, a person, an app and an operator can send, once. */
export const everythingMarked = async (tenant: Tenant, identity: Identity) => {
  const { relyingService, keys } = tenant;
  const ids: Record<string, string> = {};
  const say = (name: string, { status, body }: { status: number; body: { id?: string } }) => {
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    ids[name] = body.id ?? '';
  };
  const types = ['PORTRAIT', 'GIV', 'EMAIL_OTP', 'MOBILE_OTP'];
  await relyingService.post(
    `${identity.at}/consents`,
    types.map((type) => ({ approved: true, type, [marked('member')]: marked('consent') })),
    withKey('consents'),
  );
  await session(tenant, identity);
  const capture = (image: string, name: string) =>
    upload(
      keys.relyingService,
      `${identity.at}/id-documents/capture`,
      [
        [marked('part'), marked('partvalue')],
        ['DocumentFront', file(commented(specimen(image), marked(`${name}pixels`)), `${name}file`)],
        ['DocumentCaptureDetails', JSON.stringify(captureDetails)],
      ],
      withKey('upload'),
    );
  say('passport', await capture('passport.jpg', 'passport'));
  await identity.stable(ids.passport!);
  say('altered', await capture('passport-altered.jpg', 'altered'));
  await identity.becomes(ids.altered!, 'ADJUDICATION');
  ids.case = await decide(tenant, ids.altered!);
  say('us', await relyingService.post(`${identity.at}/id-documents`, licence('us', 'USA', 'VA'), withKey('us')));
  say('au', await relyingService.post(`${identity.at}/id-documents`, licence('au', 'AUS', 'VIC'), withKey('au')));
  say('health', await relyingService.post(`${identity.at}/id-document/aus/medicare`, healthCard, withKey('health')));
  say('attributes', await relyingService.post(`${identity.at}/attributes`, personalAttributes('stated'), withKey('a')));
  say('address', await relyingService.post(`${identity.at}/addresses`, address('stated'), withKey('address')));
  const selfie = (name: string) => file(commented(specimen('selfie-same.jpg'), marked(`${name}pixels`)), name);
  const at = identity.at;
  say(
    'reference',
    await upload(keys.relyingService, `${at}/portrait-reference`, [['Portrait', selfie('ref')]], withKey('r')),
  );
  say(
    'portrait',
    await upload(
      keys.relyingService,
      `${at}/attributes/portrait/capture`,
      [['Portrait', selfie('portrait')]],
      withKey('p'),
    ),
  );
  say(
    'files',
    await upload(
      keys.relyingService,
      `${at}/additional-files`,
      [
        [
          'File',
          { bytes: Buffer.from(marked('content')), filename: marked('filename'), type: `text/${marked('type')}` },
        ],
        ['Metadata', JSON.stringify([{ key: marked('metakey'), value: marked('metavalue') }])],
      ],
      withKey('files'),
    ),
  );
  Object.assign(ids, await contacts(tenant, identity));
  const reader = {
    application: marked('reader'),
    version: marked('readerversion'),
    osType: marked('readeros'),
    osVersion: marked('readerosversion'),
    deviceModel: marked('readermodel'),
  };
  const passport = { surname: marked('chip'), givenNames: marked('chipgiven'), activeAuthentication: 'ECDSA' };
  const read = await readPassport(tenant, passport, { identity });
  say('chip', await relyingService.post(`${read.at}/data`, { ...(read.data as object), reader }, withKey('chip')));
  const failed = await readPassport(tenant, passport, { identity });
  const errors = [{ code: marked('errorcode'), message: `${marked('errormessage')} at 7` }];
  say('failed', await relyingService.post(`${failed.at}/data`, { errors, reader }, withKey('failed')));
  const live = await relyingService.post(
    `${at}/attributes/portrait/live-capture-session`,
    { type: 'LIVENESS_PASSIVE', securityLevel: marked('level') },
    withKey('live'),
  );
  say('live', live);
  const frames = `/svc/v1/live-capture-sessions/${live.body.sessionId}`;
  await upload(
    keys.relyingService,
    `${frames}/frames`,
    [
      ['Frame', selfie('frame')],
      ['Frame', selfie('second')],
      ['side', 'FRONT'],
    ],
    withKey('frames'),
  );
  await relyingService.post(`${frames}/end`, undefined, withKey('end'));
  for (const name of [
    'us',
    'au',
    'health',
    'attributes',
    'address',
    'reference',
    'chip',
    'failed',
    'live',
    'email',
    'mobile',
  ])
    await identity.stable(ids[name]!, 60_000);
  return ids;
};
