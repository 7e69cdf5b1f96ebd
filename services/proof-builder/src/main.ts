import { connectBus } from '@assay/bus';
import { createInternalClient, listen, transportKeyFetcher } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { createKeyring } from '@assay/sealing';
import { createEvidenceIntake } from './clients/evidence-intake.ts';
import { createRemoteSigner } from './clients/remote-signer.ts';
import { config } from './config.ts';
import { createProofBuilder } from './service.ts';

const SERVICE = 'proof-builder';

const { ADMIN_PORT: adminPort, ADMIN_HOST: adminHost, LOG_LEVEL: logLevel } = config;

await runService(SERVICE, { adminPort, adminHost, logLevel }, async ({ own, admin, log }) => {
  const client = (baseUrl: string) =>
    createInternalClient({ baseUrl, secret: config.INTERNAL_SECRET, service: SERVICE, log });
  const database = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}proof_builder`, log));
  const keyDatabase = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}proof_keys`, log));
  const bus = own(await connectBus({ url: config.AMQP_URL, service: SERVICE, log, namespace: config.BUS_NAMESPACE }));
  const service = await createProofBuilder({
    database,
    keyDatabase,
    intake: createEvidenceIntake(client(config.EVIDENCE_INTAKE_URL)),
    keyring: createKeyring(transportKeyFetcher(client(config.GATEWAY_INTERNAL_URL))),
    masterKey: config.MASTER_KEY,
    internalSecret: config.INTERNAL_SECRET,
    componentVersion: config.componentVersion,
    signingKeys: {
      bits: config.SIGNING_KEY_BITS,
      maxAgeSeconds: config.SIGNING_KEY_MAX_AGE_SECONDS,
      overlapSeconds: config.SIGNING_KEY_OVERLAP_SECONDS,
    },
    remoteSigner: config.SIGNER_URL
      ? createRemoteSigner({ url: config.SIGNER_URL, token: config.SIGNER_TOKEN, log })
      : undefined,
    now: () => new Date(),
    log,
  });
  own(await listen(service.app, { port: config.HTTP_PORT, host: config.HTTP_HOST }));
  own(await service.consume(bus));
  own(service.sweep());
  admin.ready('mongo', database.isReady);
  admin.ready('bus', bus.isReady);
});
