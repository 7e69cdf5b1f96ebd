import type { Page } from '../image.ts';
import { type MrzReading, readMrz } from './read.ts';
import type { RecogniseLines } from './recognise.ts';

/** The page with one block painted over in the grey around it. */
const without = (page: Page, { quad, pitch }: MrzReading): Page => {
  const { width, height } = page.grey;
  const data = page.grey.data.slice();
  const margin = 1.5 * pitch;
  const xs = quad.map(({ x }) => x);
  const ys = quad.map(({ y }) => y);
  const left = Math.max(0, Math.floor(Math.min(...xs) - margin));
  const right = Math.min(width, Math.ceil(Math.max(...xs) + margin));
  const top = Math.max(0, Math.floor(Math.min(...ys) - margin));
  const bottom = Math.min(height, Math.ceil(Math.max(...ys) + margin));
  for (let y = top; y < bottom; y++) data.fill(data[y * width + left]!, y * width + left, y * width + right);
  return { ...page, grey: { width, height, data } };
};

/**
 * The format of a zone and the fields with check digits: names may be read differently on another
 * picture of the same document.
 */
const covered = ({ format, fields }: MrzReading): string =>
  [format, fields.documentNumber, fields.birthDate, fields.expiryDate].map((value) => value ?? '').join();

/**
 * Whether one of the pictures shows a machine-readable zone other than the first: two documents on
 * one picture, or one on each.
 */
export const showsAnotherZone = async (
  pages: readonly { side: string; page: Page }[],
  first: MrzReading & { side: string },
  recognise: RecogniseLines,
  today: string,
): Promise<boolean> => {
  for (const { side, page } of pages) {
    const beside = side === first.side;
    const second = await readMrz(beside ? without(page, first) : page, recognise, { today, search: 'first' });
    const said = beside ? ({ lines }: MrzReading) => lines.join() : covered;
    if (second?.valid === true && said(second) !== said(first)) return true;
  }
  return false;
};
