import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { loadMedium } from './api.ts';
import { imageInWords } from './words.ts';

const STEPS = [1, 1.5, 2, 3, 4, 6];

interface PictureProps {
  caseId: string;
  mediaId: string;
  label: string;
  /** Shared by the pictures beside each other, so that they are compared at one size. */
  zoom: number;
  onZoom: (zoom: number) => void;
}

/**
 * One image of a case: whole at first, zoomed with all others or by a double click; dragged, or
 * moved with the arrow keys, by scrolling.
 */
export const Picture = ({ caseId, mediaId, label: name, zoom, onZoom }: PictureProps) => {
  const label = imageInWords(name);
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState('');
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    let made: string | undefined;
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
  }, [caseId, mediaId]);

  // What was in the middle stays there.
  const before = useRef(zoom);
  useLayoutEffect(() => {
    const by = zoom / before.current;
    before.current = zoom;
    const { current: box } = frame;
    if (!box || by === 1) return;
    const middle = (at: number, size: number): number => (at + size / 2) * by - size / 2;
    box.scrollTo(middle(box.scrollLeft, box.clientWidth), middle(box.scrollTop, box.clientHeight));
  }, [zoom]);

  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1 || !frame.current) return;
    frame.current.scrollBy(-event.movementX, -event.movementY);
  };
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
          <img src={url} alt={label} draggable={false} style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }} />
        ) : (
          <p class={failed ? 'message' : ''}>{failed || 'Loading …'}</p>
        )}
      </section>
      <figcaption>{label}</figcaption>
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
