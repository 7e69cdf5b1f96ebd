import { join } from 'node:path';
import { listen } from '@assay/http';
import { runService } from '@assay/runtime';
import { createAamva } from './aamva/app.ts';
import { readSimulatorConfig } from './config.ts';
import { createBook } from './source/book.ts';

const config = readSimulatorConfig();

await runService('aamva', config, async ({ own, log }) => {
  const book = createBook(config.DATA_DIR && join(config.DATA_DIR, 'aamva-records.jsonl'));
  const clientKey = config.CLIENT_KEY ? { clientKey: config.CLIENT_KEY } : {};
  own(await listen(createAamva({ book, log, ...clientKey }), { port: config.HTTP_PORT, host: config.HTTP_HOST }));
});
