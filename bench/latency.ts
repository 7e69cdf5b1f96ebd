/**
 * npm run bench:latency [-- --times N]
 *
 * Starts a suite of its own and measures, one after the other on the idle suite, in milliseconds:
 * how soon a text submission and a picture are answered, how long after that their webhook is
 * there, what of it the engine took, and when the first attempt of a webhook began after its
 * notification.
 *   --times N    submissions of each kind (50); the first tenth is not counted
 */
import { licenceText, newIdentity, newTenant, readStack, specimen, startWebhookReceiver } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { percentile, rounded } from './figures.ts';
import { onSuite } from './on-suite.ts';

const options = readArguments(import.meta.filename, { times: { type: 'string', default: '50' } });
const times = Number(options.times);
const WARM_UP = 0.1;
const PATIENCE_MS = 120_000;

/** Sum and count of a histogram of a service, over all labels, in milliseconds. */
const histogramOf = async (service: string, name: string): Promise<{ ms: number; count: number }> => {
  const { adminUrl } = readStack().services[service]![0]!;
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const total = (what: string): number =>
    [...text.matchAll(new RegExp(`^${name}_${what}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
  return { ms: total('sum') * 1000, count: total('count') };
};

/** Mean of what a histogram observed meanwhile. */
const meanDuring = async (service: string, name: string, work: () => Promise<void>): Promise<number> => {
  const before = await histogramOf(service, name);
  await work();
  const after = await histogramOf(service, name);
  return Math.round((10 * (after.ms - before.ms)) / (after.count - before.count)) / 10;
};

const measure = async () => {
  const receiver = await startWebhookReceiver();
  const webhook = { url: receiver.url, mode: 'HMAC', headerName: 'x-signature', secret: 'a webhook secret' } as const;
  const tenant = await newTenant('latency', { issuingSources: { enabled: true }, webhook });
  const licence = licenceText({ expiryDate: '2035-04-15' });
  const picture = specimen('passport.jpg');
  const series = async (
    consent: readonly string[],
    submit: (identity: Awaited<ReturnType<typeof newIdentity>>) => Promise<{ body: { id: string } }>,
  ) => {
    const [answered, notified]: [number[], number[]] = [[], []];
    for (let n = 0; n < times; n += 1) {
      const identity = await newIdentity(tenant.relyingService);
      if (consent.length > 0) await identity.consent(...consent);
      const startedAt = performance.now();
      const { body } = await submit(identity);
      const [answeredAt, answeredOn] = [performance.now(), Date.now()];
      const { at } = await receiver.next(
        'the evaluation',
        (sent) => sent.body.evidence?.evidenceId === body.id,
        PATIENCE_MS,
      );
      answered.push(answeredAt - startedAt);
      notified.push(at - answeredOn);
    }
    const counted = (values: readonly number[]) => values.slice(Math.ceil(times * WARM_UP));
    const summaryOf = (values: readonly number[]) => ({
      median: rounded(percentile(counted(values), 0.5), 1),
      p95: rounded(percentile(counted(values), 0.95), 1),
    });
    return { answered: summaryOf(answered), 'answer to webhook': summaryOf(notified) };
  };
  const found: Record<string, object> = {};
  const firstAttempt = await meanDuring('notifier', 'assay_delivery_lag_seconds', async () => {
    const text = await series(['GIV'], (identity) => identity.text(licence));
    for (const [name, figures] of Object.entries(text)) found[`text: ${name}`] = figures;
  });
  const engine = await meanDuring('verification-worker', 'assay_engine_job_seconds', async () => {
    const document = await series([], (identity) => identity.document(picture));
    for (const [name, figures] of Object.entries(document)) found[`picture: ${name}`] = figures;
  });
  await receiver.close();
  return { ...found, 'notification to first attempt': { mean: firstAttempt }, 'picture: engine': { mean: engine } };
};

console.table(await onSuite(measure));
