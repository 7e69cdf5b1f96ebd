import { newIdentity, type newTenant, specimen, type startWebhookReceiver } from '@assay/testing';

const LOOKS = 5;

/**
 * A whole flow up to the webhooks of its evidence, on an identity of its own; gives what ends it.
 */
export const verify = async (
  tenant: Awaited<ReturnType<typeof newTenant>>,
  receiver: Awaited<ReturnType<typeof startWebhookReceiver>>,
) => {
  const published = ({ body }: { body: { id: string } }) =>
    receiver.next('the evaluation', (webhook) => webhook.body.evidence?.evidenceId === body.id, 120_000);
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('GIV', 'PORTRAIT');
  const document = await identity.document(specimen('passport.jpg'));
  await published(document);
  const portrait = await identity.portrait(specimen('selfie-same.jpg'));
  await published(portrait);
  for (let look = 0; look < LOOKS; look += 1) await identity.status(portrait.body.id);
  return () => identity.proof();
};

/** Does something so many times, a few at once. */
export const severalAtOnce = async (
  times: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> => {
  const left = Array.from({ length: times }, (_, n) => n);
  const one = async (): Promise<void> => {
    for (let n = left.shift(); n !== undefined; n = left.shift()) await work(n);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
};
