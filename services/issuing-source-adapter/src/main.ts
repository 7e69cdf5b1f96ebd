import { connectBus, suiteBus } from '@assay/bus';
import { createInternalClient, identityOf, listen, readInternalKeys } from '@assay/http';
import { connectMongo, keepIndexes } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { openSources } from './clients/connectors.ts';
import { readSourceFiles } from './clients/source-files.ts';
import { loadConfig } from './config.ts';
import { DEFAULT_PACE } from './domain/pace.ts';
import { createAdapter } from './service.ts';

const service = 'issuing-source-adapter';
const config = loadConfig();

await runService(service, config, async ({ own, stopping, admin, log }) => {
  const mongodb = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}issuing_source_adapter`, log));
  const { now } = mongodb;
  const rabbitmq = own(await connectBus({ ...suiteBus(config), service, now, log, stopping }));
  admin.ready('mongodb', mongodb.isReady);
  admin.ready('rabbitmq', rabbitmq.isReady);

  const keys = readInternalKeys(service, config.INTERNAL_KEYS, now);
  const { DVS_URL: dvsUrl, AAMVA_URL: aamvaUrl, AAMVA_AUTHENTICATION_URL: aamvaAuthenticationUrl } = config;
  const mapped = readSourceFiles(config.SOURCES_DIR);
  const adapter = own(
    await createAdapter({
      mongodb,
      rabbitmq,
      gateway: createInternalClient({ baseUrl: config.GATEWAY_INTERNAL_URL, keys, to: 'gateway', log }),
      keys,
      ...openSources({ dvsUrl, aamvaUrl, aamvaAuthenticationUrl, credentials: config.credentials, mapped, now }),
      pace: { ...DEFAULT_PACE, questionMs: config.QUESTION_TIMEOUT_MS, budgetMs: config.CHECK_BUDGET_MS },
      maintenanceWindows: config.maintenanceWindows,
      republishAfterMs: config.REPUBLISH_AFTER_MS,
      now,
      log,
    }),
  );
  own(await listen(adapter.app, { port: config.HTTP_PORT, host: config.HTTP_HOST, tls: identityOf(config), stopping }));
  await adapter.start();
  own(keepIndexes(mongodb.connection, log));
});
