import type { DocumentJob, DocumentResult, PortraitJob, PortraitResult } from './engine.ts';

/**
 * Jobs and results as JSON, for engines behind HTTP (docs/engines.md): the same shapes, with
 * pictures as base64.
 */
type Wire<Shape, Pictures extends keyof Shape> = Omit<Shape, Pictures> & { [Picture in Pictures]: string };

type WireDocumentJob = Wire<Omit<DocumentJob, 'back'>, 'front'> & { back?: string };
type WirePortraitJob = Wire<PortraitJob, 'image'>;

const text = (picture: Uint8Array): string => Buffer.from(picture).toString('base64');
const bytes = (picture: unknown): Buffer => {
  if (typeof picture !== 'string') throw new TypeError('a picture must be base64');
  return Buffer.from(picture, 'base64');
};

export const documentJobToWire = ({ front, back, ...rest }: DocumentJob): WireDocumentJob => ({
  ...rest,
  front: text(front),
  ...(back && { back: text(back) }),
});

export const documentJobFromWire = ({ front, back, ...rest }: WireDocumentJob): DocumentJob => ({
  ...rest,
  front: bytes(front),
  ...(back !== undefined && { back: bytes(back) }),
});

export const portraitJobToWire = ({ image, ...rest }: PortraitJob): WirePortraitJob => ({
  ...rest,
  image: text(image),
});
export const portraitJobFromWire = ({ image, ...rest }: WirePortraitJob): PortraitJob => ({
  ...rest,
  image: bytes(image),
});

export const documentResultToWire = (result: DocumentResult): unknown =>
  'error' in result || !result.portrait
    ? result
    : { ...result, portrait: { ...result.portrait, crop: text(result.portrait.crop) } };

export const portraitResultToWire = (result: PortraitResult): unknown =>
  'error' in result || !result.crop ? result : { ...result, crop: text(result.crop) };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isError = (value: Record<string, unknown>): boolean =>
  isObject(value.error) && typeof value.error.code === 'string';

/** What every seen picture has; an engine that leaves it out is not one of ours. */
function seen(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new TypeError('not an engine result');
  const sound = Array.isArray(value.indicators) && Array.isArray(value.errors) && isObject(value.timings);
  if (!isError(value) && !sound) throw new TypeError('not an engine result');
  return value;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isReadValue = (value: unknown): boolean => isObject(value) && isText(value.value);
const isAddress = ({ streetLines, city, state, postcode, country }: Record<string, unknown>): boolean =>
  Array.isArray(streetLines) &&
  [...streetLines, city, state, postcode, country].every((part) => part === undefined || isText(part));

/** Whether what was read is text throughout: it is stored, compared and shown as text. */
const isReading = (reading: unknown): boolean => {
  if (!isObject(reading) || !isObject(reading.visual) || !isObject(reading.data)) return false;
  const { documentType, givenNames, address, ...others } = reading.data;
  return (
    (documentType === undefined || isText(documentType)) &&
    (address === undefined || (isObject(address) && isAddress(address))) &&
    Array.isArray(givenNames) &&
    [...givenNames, ...Object.values(others)].every(isReadValue)
  );
};

/** Throws TypeError for what is not a result. */
export function documentResultFromWire(value: unknown): DocumentResult {
  const result = seen(value);
  if (!isError(result) && !isReading(result.reading)) throw new TypeError('a document result without its reading');
  const { portrait } = result;
  const whole = isObject(portrait) ? { ...result, portrait: { ...portrait, crop: bytes(portrait.crop) } } : result;
  return whole as unknown as DocumentResult;
}

/** Throws TypeError for what is not a result. */
export function portraitResultFromWire(value: unknown): PortraitResult {
  const result = seen(value);
  const whole = result.crop === undefined ? result : { ...result, crop: bytes(result.crop) };
  return whole as unknown as PortraitResult;
}
