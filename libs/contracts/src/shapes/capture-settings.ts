import { Type } from 'typebox';
import { group, ShownText } from './building-blocks.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ar', 'ja'] as const;
/**
 * Schemes of addresses that a browser executes, opens or reads itself, instead of asking a host or
 * an app.
 */
const OWN_SCHEMES = '(?!(about|blob|data|file|filesystem|javascript|vbscript|view-source):)';

/** An exact origin, as browsers send it. */
export const Origin = Type.String({
  pattern: `^${OWN_SCHEMES}[a-z][a-z0-9+.-]*://([a-z0-9.-]+|\\[[0-9a-f:.]+\\])(:[0-9]{1,5})?$`,
  maxLength: 255,
  description: 'an origin in small letters, such as https://shop.example: no path, no slash at its end',
});

/**
 * A tenant's own text in the languages of the capture page. A language that is left out has the
 * page's own text.
 */
const inLanguages = (title: string, description: string) =>
  group(
    title,
    Object.fromEntries(
      LANGUAGES.map((language) => [
        language,
        Type.Optional(ShownText(400, { title: `${title} (${language})`, description })),
      ]),
    ),
  );

/** How a tenant's capture page looks, and what people may do on it. */
export const CaptureSettings = group('Capture page', {
  name: Type.Optional(ShownText(60, { title: 'Name', description: 'who asks people for their identity' })),
  logoUrl: Type.Optional(
    Type.String({
      pattern: '^(https://[^\\s"<>\\\\]+|data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})$',
      maxLength: 32768,
      title: 'Logo',
      description: 'an https address, or the image itself as data:image/png;base64,...; shown 32 pixels high',
    }),
  ),
  colour: Type.Optional(
    Type.String({
      pattern: '^#[0-9A-Fa-f]{6}$',
      title: 'Colour',
      description: '#rrggbb; made lighter or darker where it could not be read',
    }),
  ),
  beginText: inLanguages('Words at the beginning', 'in place of the first sentence'),
  finishText: inLanguages('Words at the end', 'in place of the last sentence'),
  embedders: Type.Optional(
    Type.Array(Origin, {
      maxItems: 20,
      uniqueItems: true,
      title: 'Embedding pages',
      description: 'exact origins whose pages may show the capture page in a frame',
    }),
  ),
  chipReader: Type.Optional(
    Type.String({
      // Its fragment contains the session's token, so the address must be encrypted.
      pattern: `^(https://\\S+|${OWN_SCHEMES}(?!https?:)[a-z][a-z0-9.+-]*://\\S*)$`,
      maxLength: 512,
      title: 'Reader app',
      description:
        'the https address or own scheme that opens your app for reading chips; without it the step CHIP is passed over',
    }),
  ),
});
