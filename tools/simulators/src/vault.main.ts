import { randomBytes } from 'node:crypto';
import { listen } from '@assay/http';
import { list, readConfig, runService, text } from '@assay/runtime';
import { readSimulatorConfig } from './config.ts';
import { createVaultSimulator } from './keys/vault.ts';

const config = readSimulatorConfig();
const settings = readConfig({
  /**
   * Names of the keys; of each there is one version at the start, for as long as the process lives.
   */
  VAULT_KEYS: list,
  VAULT_TOKEN: text,
});

await runService('vault', config, async ({ own, log }) => {
  const keys = new Map(settings.VAULT_KEYS.map((name) => [name, [randomBytes(32)]]));
  const app = createVaultSimulator({ token: settings.VAULT_TOKEN, keys, log });
  own(await listen(app, { port: config.HTTP_PORT, host: config.HTTP_HOST }));
});
