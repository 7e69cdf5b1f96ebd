import sharp from 'sharp';

/** What may be wrong with a picture, made from a good one. Each says how it imitates the thing. */
export type Variant = (image: Buffer, i: number) => Promise<Buffer>;

const grey = (image: Buffer) => sharp(image).greyscale().linear(1.35, -30);

/** Toner on white paper, scanned or photographed again: grey, harder contrast. */
const photocopy: Variant = (image) => grey(image).jpeg({ quality: 88 }).toBuffer();

/** The same under warm light or on cream paper: all colour follows from brightness. */
const tintedCopy: Variant = async (image) => {
  const copy = await grey(image).toColourspace('srgb').png({ compressionLevel: 1 }).toBuffer();
  return sharp(copy).removeAlpha().linear([0.95, 0.88, 0.78], [4, 2, 0]).jpeg({ quality: 88 }).toBuffer();
};

/**
 * Each pixel three stripes of red, green and blue with a dark gap, as on a screen, photographed a
 * little turned.
 */
const displayed: Variant = async (image, i) => {
  const { data, info } = await sharp(image).resize(640).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [width, height] = [info.width * 3, info.height * 3];
  const raster = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const p = (Math.floor(y / 3) * info.width + Math.floor(x / 3)) * 3;
      const gap = y % 3 === 2 ? 0.45 : 1;
      for (let c = 0; c < 3; c++)
        raster[(y * width + x) * 3 + c] = Math.min(255, data[p + c]! * (c === x % 3 ? 1.9 : 0.45) * gap);
    }
  const screen = await sharp(raster, { raw: { width, height, channels: 3 } })
    .rotate(1.5 + (i % 5) * 1.3, { background: '#111' })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(screen)
    .resize({ width: 1200 + (i % 4) * 90, kernel: 'cubic' })
    .blur(0.5)
    .jpeg({ quality: 90 })
    .toBuffer();
};

/** A phone's screen with status bar and navigation bar around the picture, saved by the phone. */
const screenshot: Variant = async (image) => {
  const shown = await sharp(image)
    .resize({ width: 1080, height: 1900, fit: 'inside' })
    .toBuffer({ resolveWithObject: true });
  const bar = (text: string) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="90"><rect width="100%" height="100%" fill="#101014"/><text x="40" y="58" font-size="34" fill="#fff" font-family="Liberation Sans">${text}</text></svg>`,
    );
  return sharp({ create: { width: 1080, height: 2340, channels: 3, background: '#101014' } })
    .composite([
      {
        input: shown.data,
        left: Math.floor((1080 - shown.info.width) / 2),
        top: Math.floor((2340 - shown.info.height) / 2),
      },
      { input: bar('12:40'), left: 0, top: 0 },
      { input: bar('|||   O   &lt;'), left: 0, top: 2250 },
    ])
    .png({ compressionLevel: 1 })
    .toBuffer();
};

const blurred: Variant = (image) => sharp(image).blur(4).jpeg({ quality: 90 }).toBuffer();

const shaken: Variant = (image) => {
  const size = 15;
  const kernel = Array.from({ length: size * size }, (_, at) => (Math.floor(at / size) === size >> 1 ? 1 : 0));
  return sharp(image).convolve({ width: size, height: size, kernel, scale: size }).jpeg().toBuffer();
};

const glaring: Variant = async (image) => {
  const { width, height } = await sharp(image).metadata();
  const radius = width * 0.14;
  const spot = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><radialGradient id="g"><stop offset="0" stop-color="#fff"/><stop offset=".6" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><ellipse cx="${width * 0.6}" cy="${height * 0.45}" rx="${radius * 1.4}" ry="${radius}" fill="url(#g)"/></svg>`;
  return sharp(image)
    .composite([{ input: Buffer.from(spot) }])
    .jpeg({ quality: 90 })
    .toBuffer();
};

const dark: Variant = (image) => sharp(image).linear(0.16, 0).jpeg({ quality: 85 }).toBuffer();

const original: Variant = (image) => sharp(image).jpeg({ quality: 90 }).toBuffer();

export const VARIANTS: Readonly<Record<string, Variant>> = {
  original,
  photocopy,
  tintedCopy,
  displayed,
  screenshot,
  blurred,
  shaken,
  glaring,
  dark,
};
