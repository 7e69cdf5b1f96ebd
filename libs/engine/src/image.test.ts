import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { DECODE_LIMITS, decodePage, turnedPage, UnreadableImage } from './image.ts';

const picture = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: { r: 200, g: 120, b: 40 },
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

describe('decoding', () => {
  test('scales every picture to a page of bounded size, and retains the file', async () => {
    const page = await decodePage(await picture(3000, 1500).jpeg().toBuffer());
    expect(page).toMatchObject({
      width: DECODE_LIMITS.longestSide,
      height: 1000,
      original: { width: 3000, height: 1500, format: 'jpeg' },
    });
    expect(page.grey.data).toHaveLength(2000 * 1000);
  });

  test('is turned upright by EXIF', async () => {
    const page = await decodePage(
      await picture(400, 200).withExif({}).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    );
    expect(page).toMatchObject({ width: 200, height: 400, original: { width: 200, height: 400 } });
  });

  test.each(['jpeg', 'png', 'webp'] as const)('a %s cut in half is refused', async (format) => {
    const whole = await picture(800, 600).toFormat(format).toBuffer();
    await expect(decodePage(whole.subarray(0, whole.length >> 1))).rejects.toThrow(UnreadableImage);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('not an image at all')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
    ['a picture in a format that is not accepted', picture(50, 50).tiff().toBuffer()],
  ])('%s is refused', async (_name, bytes) => {
    await expect(decodePage(await bytes)).rejects.toThrow(UnreadableImage);
  });

  test('a hundred megapixels in a few hundred kilobytes are refused before they are decoded', async () => {
    const bomb = await sharp({
      create: { width: 10_000, height: 10_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const before = process.memoryUsage().rss;
    await expect(decodePage(bomb)).rejects.toThrow(UnreadableImage);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  }, 60_000);

  test('grey and transparent pictures have three channels', async () => {
    const grey = await decodePage(await picture(64, 48).greyscale().png().toBuffer());
    expect(grey.rgb.data).toHaveLength(64 * 48 * 3);
    const clear = sharp({ create: { width: 4, height: 4, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    expect([...(await decodePage(await clear.png().toBuffer())).rgb.data]).toEqual(Array(48).fill(255));
  });

  test('four quarter turns restore the page', async () => {
    const page = await decodePage(await picture(60, 40).png().toBuffer());
    const round = [1, 1, 1, 1].reduce((turning) => turnedPage(turning, 1), page);
    expect(Buffer.compare(Buffer.from(round.rgb.data), Buffer.from(page.rgb.data))).toBe(0);
    const half = turnedPage(turnedPage(page, 1), 1);
    expect(Buffer.compare(Buffer.from(half.rgb.data), Buffer.from(turnedPage(page, 2).rgb.data))).toBe(0);
  });
});
