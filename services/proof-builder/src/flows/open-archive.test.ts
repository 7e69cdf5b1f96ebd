import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { mediaContext, newDataKey, sealStream } from '@assay/sealing';
import { describe, expect, test } from '@jest/globals';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import type { ArchiveLayout } from '../domain/archive.ts';
import type { Layouts } from '../store/layouts.ts';
import { createOpenArchive } from './open-archive.ts';
import { sizeOf } from './zip.ts';

const claims = { tenantId: 'tenant', identityId: 'identity', requestId: 'request' };

/** An archive of media of these sizes. `onTheWay` may change their sealed bytes. */
const anArchive = async (sizes: readonly number[], onTheWay = (sealed: Buffer, _at: number): Buffer => sealed) => {
  const media = await Promise.all(
    sizes.map(async (bytes, at) => {
      const mediaId = `medium-${at}`;
      const key = newDataKey();
      const content = randomBytes(bytes);
      const seal = sealStream(key, mediaContext(claims.tenantId, claims.identityId, mediaId));
      return { mediaId, key, content, sealed: onTheWay(await buffer(Readable.from([content]).pipe(seal)), at) };
    }),
  );
  const layout: ArchiveLayout = {
    root: 'root',
    endedAt: '2026-03-02T10:30:00.123Z',
    files: [{ path: 'proof.json', content: '{}' }],
    media: media.map(({ mediaId, content }) => ({ path: `images/${mediaId}.jpg`, mediaId, bytes: content.length })),
  };
  const mediaKeys = Object.fromEntries(media.map(({ mediaId, key }) => [mediaId, key.toString('base64')]));
  const opened: Readable[] = [];
  const intake: Pick<EvidenceIntake, 'openSealed'> = {
    openSealed: async (_archiveId, mediaId) => {
      const sealed = media.find((medium) => medium.mediaId === mediaId)?.sealed;
      if (!sealed?.length) throw new Error('not there');
      const stream = Readable.from(sealed.length > 1000 ? [sealed.subarray(0, 1000), sealed.subarray(1000)] : [sealed]);
      opened.push(stream);
      return stream;
    },
  };
  const layouts: Pick<Layouts, 'find'> = { find: async () => ({ layout, mediaKeys }) };
  const open = createOpenArchive({ layouts: layouts as Layouts, intake: intake as EvidenceIntake });
  return {
    layout,
    media,
    opened,
    open: async (): Promise<Readable> => (await open('proof', { archiveId: 'a', bytes: 0, filename: '' }, claims))!,
  };
};

const altered = (sealed: Buffer): Buffer => {
  const other = Buffer.from(sealed);
  other[other.length - 20]! ^= 1;
  return other;
};

describe('an archive that is sent', () => {
  test('has the announced size, every medium, and the same bytes each time', async () => {
    const { layout, media, open } = await anArchive([1, 70_000, 300_000, 2]);
    const [one, other] = [await buffer(await open()), await buffer(await open())];
    expect(one.length).toBe(sizeOf(layout));
    expect(one.equals(other)).toBe(true);
    for (const { content } of media) expect(one.includes(content)).toBe(true);
  });

  test.each([
    ['first', 0],
    ['last', 2],
  ])('breaks when its %s medium was altered', async (_which, broken) => {
    for (const size of [10, 200_000]) {
      const { open } = await anArchive([size, size, size], (sealed, at) => (at === broken ? altered(sealed) : sealed));
      await expect(buffer(await open())).rejects.toThrow('does not open');
    }
  });

  test('is not begun when its first medium is absent, and breaks off at any other', async () => {
    const without = (absentAt: number) =>
      anArchive([10, 10], (sealed, at) => (at === absentAt ? Buffer.alloc(0) : sealed));
    await expect((await without(0)).open()).rejects.toThrow('not there');
    await expect(buffer(await (await without(1)).open())).rejects.toThrow('not there');
  });

  test('closes what it has opened when the reader leaves', async () => {
    const { open, opened } = await anArchive([2_000_000, 2_000_000, 2_000_000]);
    const archive = await open();
    while (opened.length < 2) {
      archive.read();
      await once(archive, 'readable');
    }
    archive.destroy();
    await Promise.all(opened.map((stream) => stream.closed || once(stream, 'close')));
    expect(opened.length).toBe(2);
  });
});
