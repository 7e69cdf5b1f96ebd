import { connectBus, suiteBus } from '@assay/bus';
import { createInternalClient, identityOf, listen, readInternalKeys } from '@assay/http';
import { connectMongo, keepIndexes } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { openChipProcess } from './clients/chip-process.ts';
import { openEngine } from './clients/open-engine.ts';
import { loadConfig } from './config.ts';
import { createWorker } from './service.ts';

const service = 'verification-worker';
const config = loadConfig();

await runService(service, config, async ({ own, stopping, admin, log }) => {
  // Loading the models takes longest, and needs nothing else: it begins first.
  const opening = openEngine(config, log);
  const openingChips = openChipProcess({ size: config.CHIP_PROCESSES, log });
  const mongodb = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}verification_worker`, log));
  const { now } = mongodb;
  const rabbitmq = own(await connectBus({ ...suiteBus(config), service, now, log, stopping }));
  admin.ready('mongodb', mongodb.isReady);
  admin.ready('rabbitmq', rabbitmq.isReady);

  const keys = readInternalKeys(service, config.INTERNAL_KEYS, now);
  const engine = own(await opening);
  const chipProcess = own(await openingChips);
  const worker = own(
    await createWorker({
      mongodb,
      rabbitmq,
      gateway: createInternalClient({ baseUrl: config.GATEWAY_INTERNAL_URL, keys, to: 'gateway', log }),
      intake: createInternalClient({ baseUrl: config.EVIDENCE_INTAKE_URL, keys, to: 'evidence-intake', log }),
      keys,
      engine,
      chipProcess,
      republishAfterMs: config.REPUBLISH_AFTER_MS,
      ...(config.TRUST_SEED_FILE ? { trustSeedFile: config.TRUST_SEED_FILE } : {}),
      now,
      log,
    }),
  );
  admin.ready('trust', worker.isTrustSeeded);
  own(await listen(worker.app, { port: config.HTTP_PORT, host: config.HTTP_HOST, tls: identityOf(config), stopping }));
  await worker.start();
  own(keepIndexes(mongodb.connection, log));
});
