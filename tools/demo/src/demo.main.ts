import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAssayClient } from '@assay/client';
import { followProgress } from './progress.ts';
import { readChip } from './read-chip.ts';
import { startReceiver } from './receiver.ts';
import { saveProof } from './save-proof.ts';
import { createScreen } from './screen.ts';
import { issueChip } from './software-chip.ts';
import { committed, passport } from './specimen.ts';

const { values: options } = parseArgs({
  options: {
    stack: { type: 'string' },
    archives: { type: 'string' },
    document: { type: 'string' },
    back: { type: 'string' },
    selfie: { type: 'string' },
    chip: { type: 'boolean' },
  },
});
const stack = JSON.parse(readFileSync(options.stack!, 'utf8'));
const screen = createScreen(process.stdout);
const startedAt = Date.now();
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

const secret = randomBytes(24).toString('base64');
const security = { mode: 'HMAC', headerName: 'x-assay-signature', secret } as const;
const receiver = await startReceiver(security);
const asAdministrator = async (body: unknown): Promise<void> => {
  const answer = await fetch(`${stack.baseUrl}/admin/v1/tenants/${stack.tenantId}`, {
    method: 'PATCH',
    headers: { apikey: stack.keys.admin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the administration API answered ${answer.status}: ${await answer.text()}`);
};
await asAdministrator({ settings: { webhook: { url: receiver.url, ...security } } });

const client = createAssayClient({
  baseUrl: stack.baseUrl,
  apiPrefix: stack.apiPrefix,
  apiKey: stack.keys.relyingService,
});
const progress = await followProgress(stack, (_evidenceId, stage) => screen.stage(stage));

const drawn = options.document ? { image: readFileSync(options.document), how: options.document } : await passport();
const selfie = options.selfie ? readFileSync(options.selfie) : committed('selfie-same.jpg');

process.stdout.write('\n');
screen.line('suite', stack.baseUrl);
const identity = await client.createIdentity();
screen.line('identity', `${identity.id}  ${identity.status}, ${identity.levelOfAssurance}`);
await client.submitConsents(identity.id, [
  { approved: true, type: 'PORTRAIT' },
  { approved: true, type: 'GIV' },
]);
screen.line('consents', 'PORTRAIT, GIV');

interface Row {
  name: string;
  evidenceId: string;
  ms: number;
}
const proved = async (name: string, submit: () => Promise<{ id: string }>): Promise<Row> => {
  screen.begin(name);
  const begun = Date.now();
  const { id } = await submit();
  const { status, type } = await client.waitForEvidence(identity.id, id);
  const ms = Date.now() - begun;
  screen.end(`${status} (${type}) after ${seconds(ms)}`);
  return { name, evidenceId: id, ms };
};
/** The chip of the document that was read, in software: what an app with NFC would do. */
const provedByChip = async (imageId: string): Promise<Row> => {
  const { idDocuments } = await client.identity(identity.id);
  const { idDocumentData } = idDocuments.find(({ evidenceId }) => evidenceId === imageId)!;
  const chip = await issueChip(
    stack.simulators.chip,
    idDocumentData ?? {},
    options.document ? undefined : committed('portraits/holder.jpg'),
  );
  const session = await client.startChipSession(identity.id, { evidenceId: imageId });
  return proved('chip', () => readChip(client, session, chip));
};

screen.line('document', drawn.how);
const document = await proved('document', () =>
  client.submitDocument(identity.id, {
    front: drawn.image,
    ...(options.back ? { back: readFileSync(options.back) } : {}),
  }),
);
const chips = options.chip ? [await provedByChip(document.evidenceId)] : [];
const rows = [document, ...chips, await proved('selfie', () => client.submitPortrait(identity.id, selfie))];

const deadline = Date.now() + 10_000;
const isNotified = (): boolean =>
  rows.every(({ evidenceId }) => receiver.received.some(({ evidence }) => evidence?.evidenceId === evidenceId));
while (!isNotified() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
screen.line(
  'webhooks',
  `${receiver.received.length} received and their signatures verified, ${receiver.refused()} refused`,
);

const full = await client.identity(identity.id);
const bytes = Buffer.from((await client.proof(identity.id)).bytes);
const jwks = await (await fetch(`${stack.baseUrl}/.well-known/jwks.json`)).text();
const saved = await saveProof(options.archives!, identity.id, {
  bytes,
  jwks,
  ...(options.chip ? { csca: readFileSync(join(stack.dataDir, 'simulators/chip-csca.pem'), 'utf8') } : {}),
});
const report = saved.report;
screen.line(
  'proof',
  report.ok
    ? `verified offline (${Math.round(bytes.length / 1024)} KiB)`
    : `REFUSED: ${report.reasons.map(({ reason }) => reason).join('; ')}`,
);
await progress.close();
await receiver.close();

const statusOf = (evidenceId: string) =>
  full.portrait?.evidenceId === evidenceId
    ? full.portrait.evidenceStatus
    : full.idDocuments.find((document) => document.evidenceId === evidenceId)?.evidenceStatus;
screen.table(
  rows.map(({ name, evidenceId, ms }) => {
    const status = statusOf(evidenceId);
    return {
      evidence: name,
      status: status?.status ?? '',
      score: status?.score ?? '-',
      ok: String(status?.positiveIndicators?.length ?? 0),
      warnings: status?.warningIndicators?.join(' ') || '-',
      'not checked': String(status?.unverifiedIndicators?.length ?? 0),
      time: seconds(ms),
    };
  }),
);
process.stdout.write(`
  level of assurance  ${full.globalStatus.levelOfAssurance}
  archive             ${saved.archive}
  published keys      ${saved.keys}
  page of the proof   ${saved.page}
  whole run           ${seconds(Date.now() - startedAt)}

  Verify and show the archive again, with no suite running:
    ${saved.commands.verify}
    ${saved.commands.show}
${saved.commands.verifyChip ? `\n  Make passive and active authentication of the chip again:\n    ${saved.commands.verifyChip}\n` : ''}
`);

// A chip reaches a higher level than the image and the selfie alone.
const isReached = full.globalStatus.levelOfAssurance >= 'LOA2';
const good = report.ok && (options.document !== undefined || isReached);
process.exitCode = good ? 0 : 1;
