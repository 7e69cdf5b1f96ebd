/**
 * Starts the image's program. A secret may be given as a file, the way container platforms mount them: INTERNAL_SECRET_FILE=/path stands for
 * INTERNAL_SECRET with the file's content. With OTEL_EXPORTER_OTLP_ENDPOINT, tracing is loaded before the program.
 */
import { readFileSync } from 'node:fs';

const secrets = ['INTERNAL_SECRET', 'MASTER_KEY', 'MONGO_URL', 'AMQP_URL', 'SMTP_URL', 'SIGNER_TOKEN'];

for (const name of secrets) {
  const file = process.env[`${name}_FILE`];
  if (file) process.env[name] = readFileSync(file, 'utf8').trim();
}
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) await import('./libs/runtime/dist/tracing.js');
await import(process.env.ASSAY_MAIN);
