import {
  type newIdentity,
  type ReceivedWebhook,
  specimen,
  startWebhookReceiver,
  type Tenant,
  waitFor,
} from '@assay/testing';
import { expect } from '@jest/globals';

export type Identity = Awaited<ReturnType<typeof newIdentity>>;

/**
 * The webhooks about an identity in the order of their arrival: operation and evidence type, or the
 * identity's status.
 */
const earsOf = (received: readonly ReceivedWebhook[]) => {
  const published = (identity: Identity): string[] =>
    received
      .filter(({ body }) => body.identityId === identity.id)
      .map(({ body }) =>
        body.evidence ? `${body.evidence.evidenceOperation} ${body.evidence.evidenceType}` : body.identityStatus,
      );
  const settled = async (identity: Identity, ...expected: string[]): Promise<void> => {
    await waitFor(
      `${expected.join(', ')} (heard: ${published(identity).join(', ')})`,
      () => published(identity).length >= expected.length,
    );
    expect(published(identity).toSorted()).toEqual(expected.toSorted());
  };
  return {
    published,
    /** Waits for exactly these webhooks so far. */
    settled,
    /**
     * Waits for these webhooks and no others. The result of an address that is submitted now comes
     * after all earlier webhooks.
     */
    hears: async (tenant: Tenant, identity: Identity, ...expected: string[]): Promise<void> => {
      await settled(identity, ...expected);
      await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
      await settled(identity, ...expected, 'CREATED ADDRESS');
    },
    /**
     * The same for an identity that accepts no submission. The log of deliveries contains
     * everything that was sent.
     */
    heard: async (tenant: Tenant, identity: Identity, ...expected: string[]): Promise<void> => {
      await settled(identity, ...expected);
      const path = `/admin/v1/tenants/${tenant.tenantId}/deliveries?identityId=${identity.id}`;
      expect((await tenant.admin.get(path)).body.items).toHaveLength(expected.length);
    },
  };
};

/** A receiver that interprets its webhooks, and the setting by which tenants send to it. */
export const openEars = async () => {
  const receiver = await startWebhookReceiver();
  const webhook = { url: receiver.url, mode: 'NONE' as const };
  return { receiver, webhook, ...earsOf(receiver.received), close: () => receiver.close() };
};
export type Ears = Awaited<ReturnType<typeof openEars>>;

/** Submits a specimen and waits for its status. */
export const submitted = async (identity: Identity, front: string, status: string): Promise<string> => {
  const { body } = await identity.document(specimen(front));
  await identity.becomes(body.id, status);
  return body.id;
};

/** Submits a selfie with consent and waits for its status. */
export const selfie = async (identity: Identity, image: string, status: string): Promise<string> => {
  await identity.consent('PORTRAIT');
  const { body } = await identity.portrait(specimen(image));
  await identity.becomes(body.id, status);
  return body.id;
};

export const remove = (tenant: Tenant, identity: Identity, evidenceId: string) =>
  tenant.relyingService.delete(`${identity.at}/evidences/${evidenceId}`);
