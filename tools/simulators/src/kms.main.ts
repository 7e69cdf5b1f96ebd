import { createHash } from 'node:crypto';
import { listen } from '@assay/http';
import { list, readConfig, runService, text } from '@assay/runtime';
import { readSimulatorConfig } from './config.ts';
import { createKmsSimulator } from './keys/kms.ts';

const config = readSimulatorConfig();
const settings = readConfig({
  /** Ids of the keys. A key is made of its id: a process that is started again has the same. */
  KMS_KEYS: list,
  KMS_ACCESS_KEY: text,
  KMS_SECRET: text,
});

await runService('kms', config, async ({ own, log }) => {
  const app = createKmsSimulator({
    secrets: new Map([[settings.KMS_ACCESS_KEY, settings.KMS_SECRET]]),
    keys: new Map(settings.KMS_KEYS.map((id) => [id, createHash('sha256').update(id).digest()])),
    now: () => new Date(),
    log,
  });
  own(await listen(app, { port: config.HTTP_PORT, host: config.HTTP_HOST }));
});
