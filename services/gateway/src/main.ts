import { connectBus } from '@assay/bus';
import { listen } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { shippedPolicies } from '@assay/policy';
import { runService } from '@assay/runtime';
import { createClients } from './clients/clients.ts';
import { config, gatewayOptions } from './config.ts';
import { seedFrom } from './seed.ts';
import { createGateway } from './service.ts';

const service = 'gateway';
const { ADMIN_PORT: adminPort, ADMIN_HOST: adminHost, LOG_LEVEL: logLevel } = config;

await runService(service, { adminPort, adminHost, logLevel }, async ({ own, admin, log }) => {
  const database = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}gateway`, log));
  const keyDatabase = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}keys`, log));
  const bus = own(await connectBus({ url: config.AMQP_URL, service, log, namespace: config.BUS_NAMESPACE }));
  const policies = shippedPolicies();
  const clock = () => new Date();
  const gateway = own(
    await createGateway({
      ...gatewayOptions,
      ...createClients(config, log),
      database,
      keyDatabase,
      bus,
      policies,
      clock,
      log,
    }),
  );
  if (config.SEED_FILE) await seedFrom(config.SEED_FILE, { ...gateway, log });
  const { HTTP_PORT: port, HTTP_HOST: host, INTERNAL_PORT, INTERNAL_HOST = host } = config;
  own(await listen(gateway.internalApp, { port: INTERNAL_PORT, host: INTERNAL_HOST }));
  own(await listen(gateway.app, { port, host }));
  own(await gateway.consume());
  gateway.sweep().map(own);
  admin.ready('mongo', () => database.isReady() && keyDatabase.isReady());
  admin.ready('bus', bus.isReady);
});
