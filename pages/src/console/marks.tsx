import type { FieldPlace } from '@assay/contracts/operator';
import type { Difference } from './fields.ts';

/** Pixels of an image as it is. */
export interface Size {
  width: number;
  height: number;
}

/** Room around the print, so that the frame touches no letter; a share of the mark's height. */
const ROOM = 0.35;
const LETTERS = 0.026;
/**
 * Letters grow slower than the image, so that both values fit into a frame that shows a part of it.
 */
const lettersOf = ({ width, height }: Size, zoom: number): number =>
  (LETTERS * Math.max(width, height)) / Math.max(1, zoom) ** 0.75;

interface MarkProps {
  difference: Difference;
  size: Size;
  zoom: number;
}

const Mark = ({ difference: { place, value }, size, zoom }: MarkProps) => {
  const room = place.height * size.height * ROOM;
  const [x, y] = [place.left * size.width - room, place.top * size.height - room];
  const [width, height] = [place.width * size.width + 2 * room, place.height * size.height + 2 * room];
  const letters = lettersOf(size, zoom);
  const below = y + height + 2.8 * letters < size.height;
  const line = below ? y + height + 1.15 * letters : y - 1.6 * letters;
  return (
    <g style={{ fontSize: `${letters}px` }}>
      <rect x={x} y={y} width={width} height={height} rx={room} />
      <text x={x} y={line}>
        print: {place.printed}
      </text>
      <text x={x} y={line + 1.2 * letters}>
        machine-readable: {value}
      </text>
    </g>
  );
};

/**
 * Frames around what differs, over the image and as large as it: the view box keeps the proportions
 * of the image, as the image itself does. Readers hear the same from the list below it.
 */
export const Marks = ({
  differences,
  ...shown
}: Omit<MarkProps, 'difference'> & { differences: readonly Difference[] }) => (
  <svg class="marks" viewBox={`0 0 ${shown.size.width} ${shown.size.height}`} aria-hidden="true">
    {differences.map((difference) => (
      <Mark key={difference.place.field} difference={difference} {...shown} />
    ))}
  </svg>
);

/**
 * White behind an image, and as large as it: what is transparent is on white to the engine, and on
 * a dark page it would be another picture to people.
 */
export const Ground = ({ width, height }: Size) => (
  <svg class="ground" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
    <rect width={width} height={height} />
  </svg>
);

/** What differs on an image, in words; each leads to its place. */
export const DifferenceList = ({
  differences,
  onShow,
}: {
  differences: readonly Difference[];
  onShow: (place: FieldPlace) => void;
}) => (
  <ul class="differences">
    {differences.map(({ label, place, value }) => (
      <li key={place.field}>
        <button type="button" onClick={() => onShow(place)}>
          <span class="mark warning">{label} differs</span> the print says <strong>{place.printed}</strong>, the
          machine-readable part <strong>{value}</strong>
        </button>
      </li>
    ))}
  </ul>
);

/**
 * Where a frame that shows an image whole, times `zoom`, has to scroll to have a place in its
 * middle.
 */
export const scrollTo = (place: FieldPlace, { width, height }: Size, frame: Size, zoom: number) => {
  const [wide, high] = [frame.width * zoom, frame.height * zoom];
  const scale = Math.min(wide / width, high / height);
  const at = (share: number, length: number, room: number, seen: number): number =>
    (room - length * scale) / 2 + share * length * scale - seen / 2;
  return {
    left: at(place.left + place.width / 2, width, wide, frame.width),
    top: at(place.top + place.height / 2, height, high, frame.height),
  };
};
