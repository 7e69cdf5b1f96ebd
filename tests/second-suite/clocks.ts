import { licenceText, newIdentity, newTenant, readStack, startWebhookReceiver, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';

const FEW_MS = 10_000;

/** How many seconds each service reports its machine's clock to be ahead. */
const aheadOfEach = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(readStack().services).map(async ([service, [one]]): Promise<[string, number]> => {
        const metrics = await (await fetch(`${one?.adminUrl}/metrics`)).text();
        return [service, Math.round(Number(/^assay_clock_ahead_seconds\{.*\} (\S+)$/m.exec(metrics)?.[1]) / 60) * 60];
      }),
    ),
  );

/** Needs a suite whose services have wrong clocks (tests/setup/wrong-clock.mjs). */
export const clocksStory = (): void => {
  test('of machines that are hours off change nothing', async () => {
    expect(await aheadOfEach()).toEqual({
      gateway: -86_400,
      'evidence-intake': 7200,
      'verification-worker': -3600,
      'issuing-source-adapter': 86_400,
      'proof-builder': -600,
      notifier: 3600,
    });
    const receiver = await startWebhookReceiver();
    const tenant = await newTenant('clocks', {
      issuingSources: { enabled: true },
      webhook: { url: receiver.url, mode: 'NONE' },
    });
    const licence = licenceText();
    await fetch(`${readStack().simulators.aamva}/records`, {
      method: 'PUT',
      body: JSON.stringify(licence),
      headers: { 'content-type': 'application/json' },
    });
    const identity = await newIdentity(tenant.relyingService);
    await identity.consent('GIV');
    const { body } = await identity.text(licence);
    expect(await identity.stable(body.id)).toMatchObject({ status: 'VERIFIED' });
    const webhook = await receiver.next('the evaluation', ({ body: sent }) => sent.evidence?.evidenceId === body.id);
    const stamps = [Number(webhook.headers['webhook-timestamp']) * 1000, Date.parse(`${webhook.body.completedAt}Z`)];
    for (const at of stamps) expect(Math.abs(at - Date.now())).toBeLessThan(FEW_MS);
    await waitFor('a proof', async () => (await identity.proof()).status === 200);
    await receiver.close();
  });
};
