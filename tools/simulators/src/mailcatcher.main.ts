import { listen } from '@assay/http';
import { runService } from '@assay/runtime';
import { createCatcher } from './catcher/app.ts';
import { createCaught } from './catcher/messages.ts';
import { listenSmtp } from './catcher/smtp.ts';
import { readSimulatorConfig } from './config.ts';

const { HTTP_HOST: host, HTTP_PORT, SMTP_PORT, ADMIN_PORT, LOG_LEVEL } = readSimulatorConfig();

await runService('mailcatcher', { adminPort: ADMIN_PORT, logLevel: LOG_LEVEL }, async ({ own, log }) => {
  const caught = createCaught();
  own(await listenSmtp({ port: SMTP_PORT, host, caught, log }));
  own(await listen(createCatcher({ caught, log }), { port: HTTP_PORT, host }));
});
