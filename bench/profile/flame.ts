import type { Frame } from './reading.ts';

const WIDTH = 1600;
const ROW = 17;
/** Narrower than this nobody sees it. */
const NARROWEST = 0.6;
/** Width of a letter, about. */
const LETTER = 6.4;
const COLOURS = ['#f4b183', '#9dc3e6', '#a9d18e', '#ffd966', '#c9a6e4', '#e6a4a4', '#b7b7b7', '#8fd3c8'];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** One colour for a place, the same in every picture. */
const colourOf = (place: string): string =>
  COLOURS[[...place].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % COLOURS.length]!;

/**
 * A profile as a flame graph in SVG: width is processor time, callees stand below their callers.
 */
export const flameOf = (title: string, root: Frame): string => {
  const boxes: string[] = [];
  const scale = WIDTH / root.totalMs;
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number): void => {
    const width = frame.totalMs * scale;
    if (width < NARROWEST) return;
    deepest = Math.max(deepest, depth);
    const y = (depth + 2) * ROW;
    const label = `${frame.name} ${frame.place}`.slice(0, Math.floor((width - 4) / LETTER));
    const share = ((frame.totalMs / root.totalMs) * 100).toFixed(1);
    const about = `${frame.name} (${frame.place}): ${frame.totalMs.toFixed(1)} ms, ${share} %`;
    const text = label.length > 2 ? `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>` : '';
    const box = `x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colourOf(frame.place)}"`;
    boxes.push(`<g><title>${escaped(about)}</title><rect ${box}/>${text}</g>`);
    let next = x;
    for (const callee of frame.callees.toSorted((a, b) => b.totalMs - a.totalMs)) {
      draw(callee, next, depth + 1);
      next += callee.totalMs * scale;
    }
  };
  draw(root, 0, 0);
  const height = (deepest + 4) * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">
<text x="4" y="20" font-size="14">${escaped(title)}</text>
${boxes.join('\n')}
</svg>
`;
};
