import { connectBus, suiteBus } from '@assay/bus';
import { createInternalClient, identityOf, listen, readInternalKeys } from '@assay/http';
import { connectMongo, keepIndexes } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { createSenders } from './clients/senders.ts';
import { loadConfig } from './config.ts';
import { createNotifier } from './service.ts';

const service = 'notifier';
const config = loadConfig();

await runService(service, config, async ({ own, stopping, admin, log }) => {
  const mongodb = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}notifier`, log));
  const { now } = mongodb;
  const rabbitmq = own(await connectBus({ ...suiteBus(config), service, now, log, stopping }));
  admin.ready('mongodb', mongodb.isReady);
  admin.ready('rabbitmq', rabbitmq.isReady);

  const keys = readInternalKeys(service, config.INTERNAL_KEYS, now);
  const notifier = own(
    await createNotifier({
      mongodb,
      rabbitmq,
      gateway: createInternalClient({ baseUrl: config.GATEWAY_INTERNAL_URL, keys, to: 'gateway', log }),
      keys,
      masterKey: config.MASTER_KEY,
      furtherMasterKeys: config.FURTHER_MASTER_KEYS,
      allowPrivateTargets: config.ALLOW_PRIVATE_TARGETS,
      senders: createSenders(config),
      now,
      log,
    }),
  );
  own(
    await listen(notifier.app, { port: config.HTTP_PORT, host: config.HTTP_HOST, tls: identityOf(config), stopping }),
  );
  await notifier.start();
  own(keepIndexes(mongodb.connection, log));
});
