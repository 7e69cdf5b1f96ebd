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
 * What a story hears of its identities: operation and evidence type, or the identity's status, in
 * the order it arrived.
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
    /** Hears these, so far. */
    settled,
    /**
     * Hears these and no others: the result of an address that is submitted now comes after
     * everything before it.
     */
    hears: async (tenant: Tenant, identity: Identity, ...expected: string[]): Promise<void> => {
      await settled(identity, ...expected);
      await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
      await settled(identity, ...expected, 'CREATED ADDRESS');
    },
    /**
     * The same of an identity that takes no more. Everything ever sent is in the log of
     * deliveries.
     */
    heard: async (tenant: Tenant, identity: Identity, ...expected: string[]): Promise<void> => {
      await settled(identity, ...expected);
      const path = `/admin/v1/tenants/${tenant.tenantId}/deliveries?identityId=${identity.id}`;
      expect((await tenant.admin.get(path)).body.items).toHaveLength(expected.length);
    },
  };
};

/** A receiver with ears, and the setting by which tenants send to it. */
export const openEars = async () => {
  const receiver = await startWebhookReceiver();
  const webhook = { url: receiver.url, mode: 'NONE' as const };
  return { receiver, webhook, ...earsOf(receiver.received), close: () => receiver.close() };
};
export type Ears = Awaited<ReturnType<typeof openEars>>;

/** Submits a specimen and waits for what it comes to. */
export const submitted = async (identity: Identity, front: string, status: string): Promise<string> => {
  const { body } = await identity.document(specimen(front));
  await identity.becomes(body.id, status);
  return body.id;
};

/** The same of a selfie, with consent. */
export const selfie = async (identity: Identity, image: string, status: string): Promise<string> => {
  await identity.consent('PORTRAIT');
  const { body } = await identity.portrait(specimen(image));
  await identity.becomes(body.id, status);
  return body.id;
};

export const remove = (tenant: Tenant, identity: Identity, evidenceId: string) =>
  tenant.relyingService.delete(`${identity.at}/evidences/${evidenceId}`);
