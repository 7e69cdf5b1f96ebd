/**
 * npm run strays -- [--remove] [--run-dir DIR]
 *
 * Counts the bytes of media and archives that no record names. A former release left such behind
 * where an upload broke off, and so does a restore. No such medium can be opened: its key was in
 * its record. Services may run meanwhile. Looks at the server of MONGO_URL and DB_PREFIX, else at
 * that of a running suite; and at the bucket of MEDIA_BUCKET (with the other variables that
 * evidence-intake has), which has to be the bucket of this suite alone.
 *   --remove        removes them
 *   --run-dir DIR   the suite of `npm run up` in this directory (.run)
 */
import { readArguments } from '../../../scripts/arguments.mjs';
import { bucketIn } from './bucket.ts';
import { given, running } from './place.ts';
import { findStrayObjects } from './stray-objects.ts';
import { findStrays } from './strays.ts';

const options = readArguments(import.meta.filename, { remove: { type: 'boolean' }, 'run-dir': { type: 'string' } });

const run = async (): Promise<void> => {
  const { remove = false, 'run-dir': runDir } = options;
  const place = (runDir === undefined && given(process.env)) || running(runDir ?? '.run', process.env);
  for (const { where, blobs, chunks } of await findStrays(place, new Date(), remove))
    console.log(
      `${where}: ${blobs} that no record names, in ${chunks} chunks${remove && blobs > 0 ? ', removed' : ''}`,
    );
  const bucket = await bucketIn(process.env);
  if (!bucket) return;
  const count = await findStrayObjects(place, bucket, new Date(), remove).finally(bucket.close);
  console.log(`${bucket.name}: ${count} objects that no record names${remove && count > 0 ? ', removed' : ''}`);
};

await run().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
