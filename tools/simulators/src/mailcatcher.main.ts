import { listen } from '@assay/http';
import { runService } from '@assay/runtime';
import { createCatcher } from './catcher/app.ts';
import { createCaught } from './catcher/messages.ts';
import { listenSmtp } from './catcher/smtp.ts';
import { readSimulatorConfig } from './config.ts';

const config = readSimulatorConfig();
const { HTTP_HOST: host, HTTP_PORT, SMTP_PORT } = config;

await runService('mailcatcher', config, async ({ own, log }) => {
  const caught = createCaught();
  own(await listenSmtp({ port: SMTP_PORT, host, caught, log }));
  own(await listen(createCatcher({ caught, log }), { port: HTTP_PORT, host }));
});
