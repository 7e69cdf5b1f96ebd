import { connectBus } from '@assay/bus';
import { createInternalClient, listen } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { openSources } from './clients/connectors.ts';
import { readSourceFiles } from './clients/source-files.ts';
import { config } from './config.ts';
import { DEFAULT_PACE } from './domain/pace.ts';
import { createAdapter } from './service.ts';

const service = 'issuing-source-adapter';
const { ADMIN_PORT: adminPort, ADMIN_HOST: adminHost, LOG_LEVEL: logLevel, INTERNAL_SECRET: secret } = config;
const now = () => new Date();

await runService(service, { adminPort, adminHost, logLevel }, async ({ own, admin, log }) => {
  const database = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}issuing_source_adapter`, log));
  const bus = own(await connectBus({ url: config.AMQP_URL, service, log, namespace: config.BUS_NAMESPACE }));
  admin.ready('mongodb', database.isReady);
  admin.ready('rabbitmq', bus.isReady);

  const { DVS_URL: dvsUrl, AAMVA_URL: aamvaUrl, AAMVA_AUTHENTICATION_URL: aamvaAuthenticationUrl } = config;
  const { credentials } = config;
  const mapped = readSourceFiles(config.SOURCES_DIR);
  const adapter = own(
    await createAdapter({
      database,
      bus,
      gateway: createInternalClient({ baseUrl: config.GATEWAY_INTERNAL_URL, secret, service, log }),
      internalSecret: secret,
      ...openSources({ dvsUrl, aamvaUrl, aamvaAuthenticationUrl, credentials, mapped, now }),
      pace: { ...DEFAULT_PACE, questionMs: config.QUESTION_TIMEOUT_MS, budgetMs: config.CHECK_BUDGET_MS },
      maintenanceWindows: config.maintenanceWindows,
      now,
      log,
    }),
  );
  own(await listen(adapter.app, { port: config.HTTP_PORT, host: config.HTTP_HOST }));
});
