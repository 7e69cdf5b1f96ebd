import { listen } from '@assay/http';
import { runService } from '@assay/runtime';
import { createChipSimulator } from './chip/app.ts';
import { openAuthority } from './chip/authority.ts';
import { readSimulatorConfig } from './config.ts';

const config = readSimulatorConfig();

await runService('chip', config, async ({ own, log }) => {
  const authority = openAuthority(config.DATA_DIR);
  const app = createChipSimulator({ authority, now: () => new Date(), log });
  own(await listen(app, { port: config.HTTP_PORT, host: config.HTTP_HOST }));
});
