import { connectBus } from '@assay/bus';
import { createApp, createInternalClient, listen } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { loadConfig } from './config.ts';
import { routes } from './http/routes.ts';
import { createIntake } from './service.ts';

const service = 'evidence-intake';
const config = loadConfig();
const { ADMIN_PORT: adminPort, ADMIN_HOST: adminHost, LOG_LEVEL: logLevel, INTERNAL_SECRET: secret } = config;

await runService(service, { adminPort, adminHost, logLevel }, async ({ own, admin, log }) => {
  const database = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}evidence_intake`, log));
  const bus = own(await connectBus({ url: config.AMQP_URL, service, log, namespace: config.BUS_NAMESPACE }));
  admin.ready('mongodb', database.isReady);
  admin.ready('rabbitmq', bus.isReady);

  const gateway = createInternalClient({ baseUrl: config.GATEWAY_INTERNAL_URL, secret, service, log });
  const intake = own(
    await createIntake({
      database,
      bus,
      gateway,
      log,
      now: () => new Date(),
      reconcileAfterMs: config.RECONCILE_AFTER_MS,
      maxUploads: config.MAX_UPLOADS,
    }),
  );
  const app = createApp({ service, log, routes: routes(intake, secret) });
  own(await listen(app, { port: config.HTTP_PORT, host: config.HTTP_HOST }));
});
