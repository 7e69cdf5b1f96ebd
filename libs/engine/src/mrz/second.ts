import type { Page } from '../image.ts';
import { type MrzReading, readMrz } from './read.ts';
import type { RecogniseLines } from './recognise.ts';

/** The page with one block painted over in the grey of its surroundings. */
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

/** Whether the page shows a second machine-readable zone that is not the first one again. */
export const hasSecondZone = async (
  page: Page,
  first: MrzReading,
  recognise: RecogniseLines,
  today: string,
): Promise<boolean> => {
  const second = await readMrz(without(page, first), recognise, { today, search: 'first' });
  return second?.valid === true && second.lines.join() !== first.lines.join();
};
