import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';

// The typefaces come with the generator, so that a specimen looks the same on every machine; read
// when the first text is drawn. The path holds for sources and bundles of `tools`.
process.env.FONTCONFIG_FILE = join(import.meta.dirname, '../../specimens/fonts/fonts.conf');

const SANS = 'Liberation Sans';

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export interface TextStyle {
  size: number;
  colour?: string;
  bold?: boolean;
}

export const text = (x: number, y: number, value: string, style: TextStyle): string =>
  `<text x="${x}" y="${y}" font-family="${SANS}" font-size="${style.size}" font-weight="${style.bold ? 'bold' : 'normal'}" fill="${style.colour ?? '#111'}">${escapeText(value)}</text>`;

/** A small caption with the value under it, as on most documents. */
export const field = (x: number, y: number, caption: string, value: string, size = 28): string =>
  text(x, y, caption, { size: Math.round(size * 0.56), colour: '#445566' }) +
  text(x, y + Math.round(size * 1.08), value, { size, bold: true });

/** Wavy lines in two colours, the usual printed background. */
export function guilloche(width: number, height: number, colours: [string, string]): string {
  const waves = Array.from({ length: 26 }, (_, wave) => {
    const middle = (height * wave) / 26;
    const points = Array.from({ length: Math.floor(width / 20) + 1 }, (_, step) => {
      const x = step * 20;
      const y = middle + 18 * Math.sin(x / 70 + wave * 0.7) + 10 * Math.sin(x / 31 + wave);
      return `L${x} ${y.toFixed(1)}`;
    });
    return `<path d="M0 ${middle.toFixed(1)} ${points.join(' ')}" fill="none" stroke="${colours[wave % 2]}" stroke-width="1.2" opacity=".45"/>`;
  });
  return waves.join('');
}

/**
 * Machine-readable lines. Every character has its own x: letter spacing differs between renderers,
 * ten characters per inch does not.
 */
export const machineZone = (
  lines: string[],
  place: { x: number; y: number; pitch: number; leading: number; size: number },
): string =>
  lines
    .flatMap((line, row) =>
      [...line].map(
        (character, column) =>
          `<text x="${(place.x + column * place.pitch).toFixed(1)}" y="${place.y + row * place.leading}" font-family="OCR B" font-size="${place.size}" fill="#111">${escapeText(character)}</text>`,
      ),
    )
    .join('');

/** Renders an SVG drawing with images put on top, as JPEG. */
export const print = (
  size: { width: number; height: number },
  drawing: string,
  overlays: OverlayOptions[] = [],
): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${drawing}</svg>`,
    ),
  )
    .composite(overlays)
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();

/**
 * A portrait trimmed to the photograph's place on a document; give it a picture that shows little
 * more than the head.
 */
export const portrait = (image: Buffer, width: number, height: number): Promise<Buffer> =>
  sharp(image).rotate().resize(width, height, { fit: 'cover', position: 'top' }).png().toBuffer();

/**
 * The second, smaller portrait of many documents: grey, with `strength` from 0 (nothing) to 1, the
 * background showing through.
 */
export async function ghostPortrait(image: Buffer, width: number, height: number, strength: number): Promise<Buffer> {
  const small = await sharp(await portrait(image, width, height))
    .greyscale()
    .toColourspace('srgb')
    .png()
    .toBuffer();
  return sharp(small).removeAlpha().ensureAlpha(strength).png().toBuffer();
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** `04 AUG 1961` */
export const wordDate = (date: string): string =>
  `${date.slice(8)} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;

/** `08/04/1961`, as the United States print it. */
export const americanDate = (date: string): string => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
