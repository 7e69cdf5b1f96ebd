import type { Bucket, StoredObject } from './bucket.ts';
import type { Place } from './databases.ts';
import { atPlace, indexed, MEDIA, unnamed, YOUNG_MS } from './strays.ts';

/** How evidence-intake names its objects; anything else in the bucket is not ours. */
const OURS = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Counts the objects and unfinished uploads in the bucket of media that no record names, and
 * removes them on request. Services may run meanwhile: what is younger than a day is left alone.
 * @throws where no record names anything of the bucket, before it removes all of it
 */
export const findStrayObjects = async (
  place: Place,
  bucket: Pick<Bucket, 'list' | 'remove'>,
  now: Date,
  isRemoved = false,
): Promise<number> => {
  const since = new Date(now.getTime() - YOUNG_MS);
  const strays: StoredObject[] = [];
  let isNamed = false;
  await atPlace(place, (client) => {
    const db = client.db(`${place.prefix}${MEDIA.database}`);
    return indexed(db, MEDIA, async () => {
      for await (const page of bucket.list()) {
        const old = page.filter(({ key, at }) => at < since && OURS.test(key));
        const nameless = new Set(
          await unnamed(
            db,
            MEDIA,
            old.map(({ key }) => key),
          ),
        );
        strays.push(...old.filter(({ key }) => nameless.has(key)));
        isNamed ||= nameless.size < old.length;
      }
    });
  });
  if (!isRemoved) return strays.length;
  if (strays.length > 0 && !isNamed)
    throw new Error(`no record names any of ${strays.length} objects: is MEDIA_BUCKET the bucket of this suite?`);
  for (const stray of strays) await bucket.remove(stray);
  return strays.length;
};
