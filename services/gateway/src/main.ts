import { join } from 'node:path';
import { connectBus, suiteBus } from '@assay/bus';
import { identityOf, listen, readInternalKeys } from '@assay/http';
import { connectMongo, keepIndexes } from '@assay/mongo';
import { shippedPolicies } from '@assay/policy';
import { runService } from '@assay/runtime';
import manifest from '../package.json' with { type: 'json' };
import { createClients } from './clients/clients.ts';
import { openKeyServices } from './clients/key-services.ts';
import { openSignIn } from './clients/sign-in-config.ts';
import { loadConfig } from './config.ts';
import { createGateway } from './service.ts';

const service = 'gateway';
const config = loadConfig();
// As far from the bundle as from the sources.
const root = join(import.meta.dirname, '../../..');
const isLocal = config.ASSAY_ENV === 'local';
const stackFile = config.STACK_FILE;

await runService(service, config, async ({ own, stopping, admin, log }) => {
  const mongodb = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}gateway`, log));
  const { now } = mongodb;
  const keysMongodb = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}keys`, log));
  const rabbitmq = own(await connectBus({ ...suiteBus(config), service, now, log, stopping }));
  admin.ready('mongodb', () => mongodb.isReady() && keysMongodb.isReady());
  admin.ready('rabbitmq', rabbitmq.isReady);

  const internalKeys = readInternalKeys(service, config.INTERNAL_KEYS, now);
  const gateway = own(
    await createGateway({
      ...createClients(config, internalKeys, log),
      mongodb,
      keysMongodb,
      rabbitmq,
      masterKey: config.MASTER_KEY,
      keyService: openKeyServices(config, { now, log }),
      signIn: openSignIn(config, isLocal, { now, log }),
      internalKeys,
      policies: shippedPolicies(),
      prefixes: config.API_PREFIX,
      publicUrl: config.PUBLIC_URL,
      trustedProxies: config.TRUSTED_PROXIES,
      maxUploads: config.MAX_UPLOADS,
      republishAfterMs: config.REPUBLISH_AFTER_MS,
      seedFile: config.SEED_FILE,
      pages: join(root, 'pages/dist'),
      specimens: join(root, 'specimens'),
      ...(isLocal && stackFile ? { localStack: { stackFile, specimens: join(root, 'specimens') } } : {}),
      version: manifest.version,
      // Specimens are what a development machine has to show.
      newTenant: isLocal ? { acceptSpecimens: true } : {},
      now,
      log,
    }),
  );
  const { HTTP_PORT: port, HTTP_HOST: host, INTERNAL_PORT, INTERNAL_HOST = host } = config;
  own(
    await listen(gateway.internalApp, { port: INTERNAL_PORT, host: INTERNAL_HOST, tls: identityOf(config), stopping }),
  );
  await gateway.start();
  for (const { connection } of [mongodb, keysMongodb]) own(keepIndexes(connection, log));
  // Last: before the seed is applied, its keys would be refused with 401.
  own(await listen(gateway.app, { port, host, stopping }));
});
