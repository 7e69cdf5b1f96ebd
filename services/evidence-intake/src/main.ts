import { connectBus, suiteBus } from '@assay/bus';
import { createInternalClient, identityOf, listen, readInternalKeys } from '@assay/http';
import { connectMongo, keepIndexes } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { openObjectStore } from './clients/object-blobs.ts';
import { objectStoreIn } from './clients/object-store-config.ts';
import { loadConfig } from './config.ts';
import { createIntake } from './service.ts';

const service = 'evidence-intake';
const config = loadConfig();

/** The object store, where one is named. */
const objectStore = () => {
  const named = objectStoreIn(config);
  return named && openObjectStore(named);
};

await runService(service, config, async ({ own, stopping, admin, log }) => {
  const mongodb = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}evidence_intake`, log));
  const { now } = mongodb;
  const rabbitmq = own(await connectBus({ ...suiteBus(config), service, now, log, stopping }));
  admin.ready('mongodb', mongodb.isReady);
  admin.ready('rabbitmq', rabbitmq.isReady);

  const keys = readInternalKeys(service, config.INTERNAL_KEYS, now);
  const intake = own(
    await createIntake({
      mongodb,
      rabbitmq,
      gateway: createInternalClient({ baseUrl: config.GATEWAY_INTERNAL_URL, keys, to: 'gateway', log }),
      openObjects: await objectStore(),
      keys,
      reconcileAfterMs: config.RECONCILE_AFTER_MS,
      maxUploads: config.MAX_UPLOADS,
      republishAfterMs: config.REPUBLISH_AFTER_MS,
      now,
      log,
    }),
  );
  own(await listen(intake.app, { port: config.HTTP_PORT, host: config.HTTP_HOST, tls: identityOf(config), stopping }));
  await intake.start();
  own(keepIndexes(mongodb.connection, log));
});
