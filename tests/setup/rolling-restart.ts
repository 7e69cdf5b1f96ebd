import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { apiWith, licenceText, newIdentity, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import type { ReadyBalancer } from './ready-balancer.ts';

const CLIENTS = 2;
/** One flow in so many has a picture, because reading one keeps a processor busy for a second. */
const PICTURE_EVERY = 20;

interface Answered {
  call: string;
  status: number;
}

interface Submitted {
  identity: Awaited<ReturnType<typeof newIdentity>>;
  textId: string;
  pictureId?: string;
}

interface Client {
  tenant: Tenant;
  baseUrl: string;
  answered: Answered[];
}

/**
 * One client's flow up to the issuer's answer, or to its proof. Nothing is repeated: the test
 * counts every answer.
 */
const flow = async ({ tenant, baseUrl, answered }: Client, number: number): Promise<Submitted> => {
  const heard = <T extends { status: number; body: unknown }>(call: string, answer: T): T => {
    answered.push({ call, status: answer.status });
    if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const api = apiWith(baseUrl, tenant.keys.relyingService);
  const identity = await newIdentity(api);
  heard('create', identity.created);
  heard('consents', await identity.consent('GIV'));
  const text = heard('text', await identity.text(licenceText({ number: `T${70_000_000 + number}` })));
  heard('status', await api.get(`${identity.at}/status/${text.body.id}`));
  heard('identity', await api.get(identity.at));
  await identity.becomes(text.body.id, 'INVALID', 60_000);
  if (number % PICTURE_EVERY !== 1) {
    heard('proof', await identity.proof());
    return { identity, textId: text.body.id };
  }
  const picture = heard('picture', await identity.document(specimen('passport.jpg')));
  return { identity, textId: text.body.id, pictureId: picture.body.id };
};

/** Clients that submit until they are stopped. */
const startLoad = (client: Client) => {
  const submitted: Submitted[] = [];
  let isOver = false;
  let number = 0;
  const run = async (): Promise<void> => {
    while (!isOver) {
      number += 1;
      submitted.push(await flow(client, number));
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, run));
  clients.catch(() => undefined);
  return {
    submitted,
    /** Throws what any client threw: a broken connection is not an answer. */
    stop: async () => {
      isOver = true;
      await clients;
    },
  };
};

const readiness = (adminUrl: string): Promise<number | undefined> =>
  fetch(`${adminUrl}/health/ready`).then(
    ({ status }) => status,
    () => undefined,
  );

/**
 * Ends one process of a service as a platform does, and waits until its replacement is ready.
 */
const replace = async (service: string, index: number, afterSignal = async (): Promise<void> => {}): Promise<void> => {
  const current = () => readStack().services[service]![index]!;
  const { pid, adminUrl } = current();
  process.kill(pid, 'SIGTERM');
  await afterSignal();
  await waitFor(`another ${service}`, () => current().pid !== pid, 60_000);
  await waitFor(`${service} to be ready`, async () => (await readiness(adminUrl)) === 200, 60_000);
};

/**
 * Begins to send a picture to one gateway; the rest of it follows on request. Returns the status of
 * the answer.
 */
const beginUpload = async ({ tenant, baseUrl, answered }: Client, gatewayUrl: string) => {
  const identity = await newIdentity(apiWith(baseUrl, tenant.keys.relyingService));
  const form = new FormData();
  form.append('DocumentFront', new Blob([new Uint8Array(specimen('passport.jpg'))], { type: 'image/jpeg' }), 'a.jpg');
  const whole = new Request('http://form', { method: 'POST', body: form });
  const bytes = Buffer.from(await whole.arrayBuffer());
  const sent = request(`${gatewayUrl}${identity.at}/id-documents/capture`, {
    method: 'POST',
    headers: {
      apikey: tenant.keys.relyingService,
      'content-type': whole.headers.get('content-type')!,
      'content-length': bytes.length,
    },
  });
  const reply = once(sent, 'response');
  reply.catch(() => undefined);
  await new Promise((resolve) => sent.write(bytes.subarray(0, bytes.length / 2), resolve));
  return async (): Promise<void> => {
    sent.end(bytes.subarray(bytes.length / 2));
    const [response] = await reply;
    answered.push({
      call: `upload that began before the gateway ended: ${await text(response)}`,
      status: response.statusCode,
    });
  };
};

/** Replaces one gateway while an upload to it is under way. */
const replaceGateway = async (client: Client, index: number): Promise<void> => {
  const { adminUrl, publicUrl } = readStack().services.gateway![index]!;
  const finishUpload = await beginUpload(client, publicUrl!);
  await replace('gateway', index, async () => {
    await waitFor('the gateway to be ready no more', async () => (await readiness(adminUrl)) !== 200);
    await finishUpload();
  });
};

/**
 * Replaces one process of each service behind the gateway, and every gateway, one after the other,
 * while clients submit through a balancer.
 */
export const rollingRestart = async (tenant: Tenant, balancer: ReadyBalancer) => {
  const client: Client = { tenant, baseUrl: balancer.url, answered: [] };
  const load = startLoad(client);
  for (const index of readStack().services.gateway!.keys()) {
    await balancer.knowsAll();
    await replaceGateway(client, index);
  }
  const behindGateway = Object.keys(readStack().services).filter((service) => service !== 'gateway');
  for (const service of behindGateway) await replace(service, 0);
  await load.stop();
  return { ...load, answered: client.answered };
};
