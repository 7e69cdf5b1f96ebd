import type { FieldPlace } from '@assay/contracts/operator';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { loadMedium } from './api.ts';
import type { Difference } from './fields.ts';
import { DifferenceList, Ground, Marks, type Size, scrollTo } from './marks.tsx';
import { imageInWords } from './words.ts';

const STEPS = [1, 1.5, 2, 3, 4, 6];
/** Large enough to read a line of print. */
const CLOSE = 3;

interface PictureProps {
  caseId: string;
  mediaId: string;
  label: string;
  /** What is marked on it. */
  differences: readonly Difference[];
  /** Shared by the pictures beside each other, so that they are compared at one size. */
  zoom: number;
  onZoom: (zoom: number) => void;
}

/** The bytes of an image of a case, as an address of this page. */
const useMedium = (caseId: string, mediaId: string) => {
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState('');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let made: string | undefined;
    setFailed('');
    loadMedium(caseId, mediaId).then(
      (next) => {
        made = next;
        setUrl(next);
      },
      (error: Error) => setFailed(error.message),
    );
    return () => {
      if (made) URL.revokeObjectURL(made);
    };
  }, [caseId, mediaId, attempt]);
  return { url, failed, again: () => setAttempt(attempt + 1) };
};

/**
 * Keeps what is in the middle of the frame there when the zoom changes; `show` has a place in the
 * middle instead, close by.
 */
const useMiddle = (zoom: number, onZoom: (zoom: number) => void, size: Size | undefined) => {
  const frame = useRef<HTMLElement>(null);
  const before = useRef(zoom);
  const goal = useRef<FieldPlace | undefined>(undefined);
  const centre = (place: FieldPlace): void => {
    const { current: box } = frame;
    if (box && size) box.scrollTo(scrollTo(place, size, { width: box.clientWidth, height: box.clientHeight }, zoom));
  };
  useLayoutEffect(() => {
    const by = zoom / before.current;
    before.current = zoom;
    const { current: box } = frame;
    if (!box || by === 1) return;
    const middle = (at: number, length: number): number => (at + length / 2) * by - length / 2;
    if (goal.current) centre(goal.current);
    else box.scrollTo(middle(box.scrollLeft, box.clientWidth), middle(box.scrollTop, box.clientHeight));
    goal.current = undefined;
  }, [zoom]);
  const show = (place: FieldPlace): void => {
    frame.current?.focus();
    if (zoom >= CLOSE) centre(place);
    else {
      goal.current = place;
      onZoom(CLOSE);
    }
  };
  return { frame, show };
};

/**
 * One image of a case: whole at first, zoomed with all others or by a double click; dragged, or
 * moved with the arrow keys, by scrolling. What differs is marked on it, and listed below it.
 */
export const Picture = ({ caseId, mediaId, label: name, differences, zoom, onZoom }: PictureProps) => {
  const label = imageInWords(name);
  const { url, failed, again } = useMedium(caseId, mediaId);
  const [size, setSize] = useState<Size>();
  const { frame, show } = useMiddle(zoom, onZoom, size);
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1 || !frame.current) return;
    frame.current.scrollBy(-event.movementX, -event.movementY);
  };
  const whole = `${zoom * 100}%`;
  return (
    <figure class="picture">
      <section
        ref={frame}
        class="frame"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the frame scrolls, so the keyboard must reach it
        tabIndex={0}
        aria-label={`${label}, scroll to move`}
        onPointerMove={drag}
        onDblClick={() => onZoom(zoom === 1 ? 2 : 1)}
      >
        {url ? (
          <div class="sheet" style={{ width: whole, height: whole }}>
            {size && <Ground {...size} />}
            <img
              src={url}
              alt={label}
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
            />
            {size && differences.length > 0 && <Marks differences={differences} size={size} zoom={zoom} />}
          </div>
        ) : (
          <>
            <p class={failed ? 'message' : ''}>{failed || 'Loading …'}</p>
            {failed && (
              <Button aria-label={`Try again: ${label}`} onClick={again}>
                Try again
              </Button>
            )}
          </>
        )}
      </section>
      <figcaption>{label}</figcaption>
      {differences.length > 0 && <DifferenceList differences={differences} onShow={show} />}
    </figure>
  );
};

/** The one zoom of all images of a case. */
export const Zoom = ({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) => (
  <fieldset class="zoom">
    <legend>Zoom of all images</legend>
    <button type="button" aria-label="Zoom out" onClick={() => onZoom(stepped(zoom, -1))}>
      −
    </button>
    <output>{Math.round(zoom * 100)} %</output>
    <button type="button" aria-label="Zoom in" onClick={() => onZoom(stepped(zoom, 1))}>
      +
    </button>
    <button type="button" disabled={zoom === 1} onClick={() => onZoom(1)}>
      Whole <kbd>0</kbd>
    </button>
    <span class="help">Drag an image to move it</span>
  </fieldset>
);

/** The next zoom step in a direction. */
export const stepped = (zoom: number, direction: 1 | -1): number =>
  STEPS[Math.min(STEPS.length - 1, Math.max(0, STEPS.indexOf(zoom) + direction))] ?? 1;
