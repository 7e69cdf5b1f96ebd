/**
 * Decodes the portraits that chips hold. Apart from the checks of a chip, since those need no image
 * library.
 */
export { imageOf } from '../lds/image.ts';
export { createPortraitDecoder, type DecodedPortrait, type PortraitDecoder } from './decoder.ts';
