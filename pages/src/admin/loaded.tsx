import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Message, Table, type TableProps } from '../design/display.tsx';
import { Refused } from './api.ts';

/** Says to the page that the key is no longer good. */
export const SIGNED_OUT = 'assay-signed-out';

const reported = (error: Error): string => {
  // 403 is of one act: what the suite grants is not a tenant's own administrator's to change.
  if (error instanceof Refused && error.status === 401)
    dispatchEvent(new CustomEvent(SIGNED_OUT, { detail: error.message }));
  return error.message;
};

/** No answer, too many questions or trouble of the service: the same may be answered later. */
const isPassing = (error: Error): boolean =>
  error instanceof Refused && (error.status === 0 || error.status === 429 || error.status >= 500);

const areSame = (some: readonly unknown[], others: readonly unknown[] | undefined): boolean =>
  others !== undefined && some.every((one, at) => Object.is(one, others[at]));

/**
 * What a path answers, loaded again when asked. What was answered to another question, as before a
 * filter was changed, is shown no longer where the new one fails.
 */
export const useLoaded = <T,>(load: () => Promise<T>, by: readonly unknown[]) => {
  const [value, setValue] = useState<T>();
  const answered = useRef<readonly unknown[] | undefined>(undefined);
  const [message, setMessage] = useState('');
  const [mayPass, setMayPass] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let unmounted = false;
    load().then(
      (loaded) => {
        if (unmounted) return;
        setMessage('');
        setMayPass(false);
        answered.current = by;
        setValue(() => loaded);
      },
      (error: Error) => {
        if (unmounted) return;
        if (!areSame(by, answered.current)) setValue(undefined);
        setMessage(reported(error));
        setMayPass(isPassing(error));
      },
    );
    return () => {
      unmounted = true;
    };
  }, [...by, round]);
  /** What an act answered is as good as loaded. */
  const replace = (next: T): void => setValue(() => next);
  return { value, message, mayPass, replace, again: useCallback(() => setRound((now) => now + 1), []) };
};

/** An act with what became of it; while it runs, it cannot be begun again. */
export const useAct = () => {
  const [running, setRunning] = useState(false);
  const [message, setMessage] = useState('');
  const [done, setDone] = useState('');
  const act = (work: () => Promise<string>): void => {
    setRunning(true);
    setMessage('');
    setDone('');
    work()
      .then(setDone, (error: Error) => setMessage(reported(error)))
      .finally(() => setRunning(false));
  };
  return { running, message, done, act };
};

type ActState = Pick<ReturnType<typeof useAct>, 'message' | 'done'>;

/** What became of an act. */
export const Outcome = ({ message, done }: ActState) => (
  <>
    <Message>{message}</Message>
    <p role="status">{done}</p>
  </>
);

interface LoadedProps<T> {
  state: { value: T | undefined; message: string; mayPass: boolean; again: () => void };
  children: (value: T) => ComponentChildren;
}

/** What was loaded; before, that it is loading; or why not, and the way to try once more. */
export const Loaded = <T,>({ state: { value, message, mayPass, again }, children }: LoadedProps<T>) => (
  <>
    <Message>{message}</Message>
    {mayPass && (
      <p class="bar">
        <Button onClick={again}>Try again</Button>
      </p>
    )}
    {value === undefined && !message && <p role="status">Loading …</p>}
    {value !== undefined && children(value)}
  </>
);

/** Pages of a list, the newest first: the cursor of the one that is shown, and of those before. */
export const usePages = () => {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1),
    first: (): void => setCursors([]),
    older: (cursor: string): void => setCursors([...cursors, cursor]),
    ...(cursors.length > 0 ? { newer: (): void => setCursors(cursors.slice(0, -1)) } : {}),
  };
};

interface PagesProps {
  pages: ReturnType<typeof usePages>;
  /** The cursor that came with the page that is shown. */
  next: string | undefined;
}

/** The way to newer and older pages, where there are some. */
export const Pages = ({ pages: { newer, older }, next }: PagesProps) => (
  <p class="bar">
    {newer && <Button onClick={newer}>Newer</Button>}
    {next && <Button onClick={() => older(next)}>Older</Button>}
  </p>
);

const PART = 50;

/** A long table, a part of it at a time: browsers are slow to draw thousands of rows. */
export const LongTable = ({ rows, ...table }: TableProps) => {
  const [shown, setShown] = useState(PART);
  return (
    <>
      <Table {...table} rows={rows.slice(0, shown)} />
      {rows.length > shown && (
        <p class="bar">
          <span role="status">
            {shown} of {rows.length} are shown.
          </span>
          <Button onClick={() => setShown(shown + PART)}>Show more</Button>
        </p>
      )}
    </>
  );
};
