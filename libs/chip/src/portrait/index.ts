/**
 * Decodes portraits from chips. It is a door of its own because the checks of a chip need no image
 * library.
 */
export { imageOf } from '../lds/image.ts';
export { createPortraitDecoder, type DecodedPortrait, type PortraitDecoder } from './decoder.ts';
