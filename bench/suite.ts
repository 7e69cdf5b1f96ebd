/**
 * npm run bench [-- --json FILE] [--rounds N] [--workers N]
 *
 * Starts a suite of its own and measures the main path on it. Every ratio is of figures taken in
 * the same run: machines are noisy, ratios less so.
 *   --json FILE   writes the figures as JSON, beside the table
 *   --rounds N    documents submitted one after the other (20)
 *   --workers N   replicas of the verification worker (1)
 */
import { writeFileSync } from 'node:fs';
import { apiWith, newIdentity, newTenant, readStack, specimen, startWebhookReceiver } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { percentile, rounded } from './figures.ts';
import { onSuite } from './on-suite.ts';

const options = readArguments(import.meta.filename, {
  json: { type: 'string' },
  rounds: { type: 'string', default: '20' },
  workers: { type: 'string', default: '1' },
});
const rounds = Number(options.rounds);

const summary = (values: readonly number[]) => {
  const at = (share: number): number => rounded(percentile(values, share), 1);
  return { median: at(0.5), p95: at(0.95), max: at(1) };
};

/** Milliseconds that the engines of all replicas have worked so far. */
const engineMs = async (): Promise<number> => {
  const texts = await Promise.all(
    (readStack().services['verification-worker'] ?? []).map(async ({ adminUrl }) =>
      (await fetch(`${adminUrl}/metrics`)).text(),
    ),
  );
  const sums = texts.flatMap((text) => [...text.matchAll(/^assay_engine_job_seconds_sum(?:\{[^}]*\})? (\S+)/gm)]);
  return sums.reduce((total, [, seconds]) => total + Number(seconds) * 1000, 0);
};

/** Messages that all services have handled so far. */
const handledMessages = async (): Promise<number> => {
  const texts = await Promise.all(
    Object.values(readStack().services)
      .flat()
      .map(async ({ adminUrl }) => (await fetch(`${adminUrl}/metrics`)).text()),
  );
  return texts
    .flatMap((text) => [...text.matchAll(/^assay_messages_handled_total\{[^}]*\} (\S+)/gm)])
    .reduce((sum, [, count]) => sum + Number(count), 0);
};

/** Waits until what the round before left to do is done: the suite measured is an idle one. */
const idle = async (): Promise<void> => {
  const before = await handledMessages();
  await new Promise((resolve) => setTimeout(resolve, 400));
  if ((await handledMessages()) !== before) await idle();
};

const measure = async () => {
  const receiver = await startWebhookReceiver();
  const tenant = await newTenant('bench', {
    webhook: { url: receiver.url, mode: 'HMAC', headerName: 'x-signature', secret: 'bench' },
    limits: { requestsPerMinute: 1_000_000 },
  });
  const passport = specimen('passport.jpg');
  const api = apiWith(readStack().baseUrl, tenant.keys.relyingService);
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const startedAt = performance.now();
    const value = await work();
    return [value, performance.now() - startedAt];
  };

  const answered: number[] = [];
  const stable: number[] = [];
  const published: number[] = [];
  const proofs: number[] = [];
  const engine: number[] = [];
  const around: number[] = [];
  const publishedWithoutEngine: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const identity = await newIdentity(api);
    await idle();
    const engineBefore = await engineMs();
    const startedAt = Date.now();
    const [submitted, ms] = await timed(() => identity.document(passport));
    const webhook = await receiver.next(
      'the evaluation',
      ({ body }) => body.evidence?.evidenceId === submitted.body.id,
      60_000,
    );
    const { evaluationDateTime } = (await identity.get()).idDocuments[0].evidenceStatus;
    answered.push(ms);
    const stableMs = Date.parse(`${evaluationDateTime}Z`) - startedAt;
    const ownMs = (await engineMs()) - engineBefore;
    stable.push(stableMs);
    engine.push(ownMs);
    around.push(stableMs - ownMs);
    published.push(webhook.at - startedAt);
    publishedWithoutEngine.push(webhook.at - startedAt - ownMs);
    proofs.push((await timed(() => identity.proof()))[1]);
  }
  const many = rounds * 2;
  const [, togetherMs] = await timed(() =>
    Promise.all(
      Array.from({ length: many }, async () => {
        const identity = await newIdentity(api);
        const { body } = await identity.document(passport);
        await receiver.next('the evaluation', (webhook) => webhook.body.evidence?.evidenceId === body.id, 300_000);
      }),
    ),
  );
  await receiver.close();
  const [stableSummary, engineSummary] = [summary(stable), summary(engine)];
  return {
    rounds,
    submissionAnsweredMs: summary(answered),
    submissionToStableMs: stableSummary,
    submissionToWebhookMs: summary(published),
    engineMs: engineSummary,
    aroundTheEngineMs: summary(around),
    webhookAroundTheEngineMs: summary(publishedWithoutEngine),
    proofMs: summary(proofs),
    documentsPerSecond: Math.round((many / togetherMs) * 100_000) / 100,
    ratios: { stableToEngine: Math.round((stableSummary.median / engineSummary.median) * 100) / 100 },
  };
};

const figures = await onSuite(measure, { args: ['--workers', options.workers] });
console.table(
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
  ),
);
if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
