import { licenceText, newIdentity, readStack, specimen, type Tenant, waitFor } from '@assay/testing';

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

/**
 * One client's flow up to the issuer's answer. Nothing is repeated: the test counts every answer.
 */
const flow = async (tenant: Tenant, number: number, answered: Answered[]): Promise<Submitted> => {
  const heard = <T extends { status: number; body: unknown }>(call: string, answer: T): T => {
    answered.push({ call, status: answer.status });
    if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const identity = await newIdentity(tenant.relyingService);
  heard('create', identity.created);
  heard('consents', await identity.consent('GIV'));
  const text = heard('text', await identity.text(licenceText({ number: `T${70_000_000 + number}` })));
  heard('status', await tenant.relyingService.get(`${identity.at}/status/${text.body.id}`));
  heard('identity', await tenant.relyingService.get(identity.at));
  await identity.becomes(text.body.id, 'INVALID', 60_000);
  if (number % PICTURE_EVERY !== 1) return { identity, textId: text.body.id };
  const picture = heard('picture', await identity.document(specimen('passport.jpg')));
  return { identity, textId: text.body.id, pictureId: picture.body.id };
};

/** Clients that submit until they are stopped. */
const startLoad = (tenant: Tenant) => {
  const answered: Answered[] = [];
  const submitted: Submitted[] = [];
  let isOver = false;
  let number = 0;
  const client = async (): Promise<void> => {
    while (!isOver) {
      number += 1;
      submitted.push(await flow(tenant, number, answered));
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  return {
    answered,
    submitted,
    /** Throws what any client threw: a broken connection is not an answer. */
    stop: async () => {
      isOver = true;
      await clients;
    },
  };
};

const isReady = (adminUrl: string): Promise<boolean> =>
  fetch(`${adminUrl}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );

/**
 * Ends the first process of a service as a platform does, and waits until its replacement is ready.
 */
const replaceOneOf = async (service: string): Promise<void> => {
  const first = () => readStack().services[service]![0]!;
  const { pid, adminUrl } = first();
  process.kill(pid, 'SIGTERM');
  await waitFor(`another ${service}`, () => first().pid !== pid, 60_000);
  await waitFor(`${service} to be ready`, () => isReady(adminUrl), 60_000);
};

/**
 * Replaces one process of each service after the other while clients submit, except the gateway. A
 * platform first removes a gateway from its load balancer; the local stack's balancer cannot do
 * that, so a connection that it has just opened may break.
 */
export const rollingRestart = async (tenant: Tenant) => {
  const load = startLoad(tenant);
  const behindGateway = Object.keys(readStack().services).filter((service) => service !== 'gateway');
  for (const service of behindGateway) await replaceOneOf(service);
  await load.stop();
  return load;
};
