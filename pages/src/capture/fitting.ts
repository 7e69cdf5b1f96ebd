/** Files up to this size have no more pixels than the service takes. */
const SMALL_BYTES = 2 * 1024 * 1024;
/** The service takes 15 MB and 40 megapixels, or less where the tenant says so. */
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_PIXELS = 24e6;
/** The service itself looks at 2000 pixels. */
const LONGEST_SIDE = 4000;
const QUALITY = 0.92;
/** What the service reads. Browsers read more: HEIC of iPhones in Safari, AVIF and GIF in most. */
const READ = ['image/jpeg', 'image/png', 'image/webp'];

/** The picture as the service takes it; undefined where the browser lacks the memory for it. */
const drawn = (picture: ImageBitmap): HTMLCanvasElement | undefined => {
  const { width, height } = picture;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  // A JPEG has no transparency: what is drawn on nothing would be black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
};

/**
 * The photo, made smaller or a JPEG where the service would refuse it: cameras of phones take 50
 * megapixels and more, and formats of their own. What the browser cannot decode stays as it is, and
 * the service says what is wrong.
 */
export const fitting = async (photo: Blob): Promise<Blob> => {
  const isRead = READ.includes(photo.type);
  if (isRead && photo.size <= SMALL_BYTES) return photo;
  const picture = await createImageBitmap(photo).catch(() => undefined);
  if (!picture) return photo;
  const fits = isRead && photo.size <= MOST_BYTES && picture.width * picture.height <= MOST_PIXELS;
  const canvas = fits ? undefined : drawn(picture);
  picture.close();
  if (!canvas) return photo;
  return new Promise((resolve) => canvas.toBlob((smaller) => resolve(smaller ?? photo), 'image/jpeg', QUALITY));
};
