import { join } from 'node:path';
import { listen } from '@assay/http';
import { runService } from '@assay/runtime';
import { readSimulatorConfig } from './config.ts';
import { createDvs } from './dvs/app.ts';
import { createBook } from './source/book.ts';

const config = readSimulatorConfig();

await runService('dvs', config, async ({ own, log }) => {
  const book = createBook(config.DATA_DIR && join(config.DATA_DIR, 'dvs-records.jsonl'));
  own(await listen(createDvs({ book, log }), { port: config.HTTP_PORT, host: config.HTTP_HOST }));
});
