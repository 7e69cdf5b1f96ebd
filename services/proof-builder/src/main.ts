import { connectBus, suiteBus } from '@assay/bus';
import { createInternalClient, identityOf, listen, readInternalKeys } from '@assay/http';
import { connectMongo, keepIndexes } from '@assay/mongo';
import { runService } from '@assay/runtime';
import { createEvidenceIntake } from './clients/evidence-intake.ts';
import { createRemoteSigner } from './clients/remote-signer.ts';
import { componentVersion, loadConfig } from './config.ts';
import { createProofBuilder } from './service.ts';

const service = 'proof-builder';
const config = loadConfig();

await runService(service, config, async ({ own, stopping, admin, log }) => {
  const mongodb = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}proof_builder`, log));
  const { now } = mongodb;
  const keyMongodb = own(await connectMongo(config.MONGO_URL, `${config.DB_PREFIX}proof_keys`, log));
  const rabbitmq = own(await connectBus({ ...suiteBus(config), service, now, log, stopping }));
  admin.ready('mongodb', () => mongodb.isReady() && keyMongodb.isReady());
  admin.ready('rabbitmq', rabbitmq.isReady);

  const keys = readInternalKeys(service, config.INTERNAL_KEYS, now);
  const intake = createInternalClient({ baseUrl: config.EVIDENCE_INTAKE_URL, keys, to: 'evidence-intake', log });
  const { SIGNER_URL: url, SIGNER_TOKEN: token } = config;
  const proofBuilder = own(
    await createProofBuilder({
      mongodb,
      keyMongodb,
      rabbitmq,
      keys,
      componentVersion,
      now,
      log,
      intake: createEvidenceIntake(intake),
      masterKey: config.MASTER_KEY,
      furtherMasterKeys: config.FURTHER_MASTER_KEYS,
      signingKeys: {
        bits: config.SIGNING_KEY_BITS,
        maxAgeSeconds: config.SIGNING_KEY_MAX_AGE_SECONDS,
        overlapSeconds: config.SIGNING_KEY_OVERLAP_SECONDS,
      },
      remoteSigner: url ? createRemoteSigner({ url, token, log }) : undefined,
    }),
  );
  own(
    await listen(proofBuilder.app, {
      port: config.HTTP_PORT,
      host: config.HTTP_HOST,
      tls: identityOf(config),
      stopping,
    }),
  );
  await proofBuilder.start();
  for (const { connection } of [mongodb, keyMongodb]) own(keepIndexes(connection, log));
});
