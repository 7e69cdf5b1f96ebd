import { connectBus } from '@assay/bus';
import { createApp, createInternalClient, listen } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { loadConfig } from './config.ts';
import { routes } from './http/routes.ts';
import { openEngine } from './open-engine.ts';
import { createWorker } from './service.ts';

const service = 'verification-worker';
const config = loadConfig();
const { ADMIN_PORT: adminPort, ADMIN_HOST: adminHost, LOG_LEVEL: logLevel, INTERNAL_SECRET: secret } = config;

await runService(service, { adminPort, adminHost, logLevel }, async ({ own, admin, log }) => {
  // Loading the models takes longest, and needs nothing else: it begins first.
  const opening = openEngine(config, log);
  const database = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}verification_worker`, log));
  const bus = own(await connectBus({ url: config.AMQP_URL, service, log, namespace: config.BUS_NAMESPACE }));
  admin.ready('mongodb', database.isReady);
  admin.ready('rabbitmq', bus.isReady);

  const engine = own(await opening);
  const gateway = createInternalClient({ baseUrl: config.GATEWAY_INTERNAL_URL, secret, service, log });
  const intake = createInternalClient({ baseUrl: config.EVIDENCE_INTAKE_URL, secret, service, log });
  const worker = own(await createWorker({ database, bus, gateway, intake, engine, log, now: () => new Date() }));
  const app = createApp({ service, log, routes: routes(worker, secret) });
  own(await listen(app, { port: config.HTTP_PORT, host: config.HTTP_HOST }));
});
