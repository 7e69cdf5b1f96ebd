import { useEffect, useState } from 'preact/hooks';
import { type CaseState, type CaseSummary, listCases, loadStatistics, Refused, type Statistics } from './api.ts';
import { isTyping, Keys } from './help.tsx';
import { ago, duration, outcomeInWords, since, typeInWords } from './words.ts';

const STATES: [CaseState, string, string][] = [
  ['OPEN', 'Open', 'No case waits. New ones appear here by themselves.'],
  ['CLAIMED', 'Claimed', 'Nobody works on a case now.'],
  ['DECIDED', 'History', 'Nothing was decided yet.'],
];
const REFRESH_MS = 5000;
const KEYS = [
  ['J and K', 'move through the cases'],
  ['Enter', 'open a case'],
  ['← and →', 'open, claimed, history'],
] as const;

const Numbers = ({ statistics }: { statistics: Statistics | undefined }) => {
  const { medianDecisionSeconds: median } = statistics ?? {};
  const figures: [string, number | string | undefined][] = [
    ['Open', statistics?.open],
    ['Claimed', statistics?.claimed],
    ['Accepted', statistics?.accepted],
    ['Rejected', statistics?.rejected],
    ['Median time to decide', median === undefined ? undefined : duration(median)],
  ];
  return (
    <dl class="numbers">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
};

const Row = ({ of, onOpen }: { of: CaseSummary; onOpen: (caseId: string) => void }) => (
  <li>
    <button type="button" class="case" onClick={() => onOpen(of.caseId)}>
      <strong>{typeInWords(of.type)}</strong>
      {of.state === 'DECIDED' ? (
        <>
          <span class={`outcome ${of.decision?.toLowerCase() ?? ''}`}>{outcomeInWords(of.decision)}</span>
          <span>came {ago(of.requestedAt)}</span>
        </>
      ) : (
        <>
          <span>waiting for {since(of.requestedAt)}</span>
          <span>expires {ago(of.expiresAt)}</span>
        </>
      )}
      {of.fourEyes && <span class="mark warning">four eyes{of.decisions.length === 1 ? ', one decided' : ''}</span>}
    </button>
  </li>
);

/** J and K move through the cases. */
const move = (by: 1 | -1): void => {
  const links = [...document.querySelectorAll<HTMLButtonElement>('.case')];
  const at = links.indexOf(document.activeElement as HTMLButtonElement);
  links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
};
const neighbour = (state: CaseState, by: 1 | -1): CaseState => {
  const at = STATES.findIndex(([value]) => value === state) + by;
  return STATES[Math.min(Math.max(at, 0), STATES.length - 1)]![0];
};

interface QueueProps {
  onOpen: (caseId: string) => void;
  onSignOut: (reason: string) => void;
}

/** The queue of cases by state, refreshed every few seconds, with figures. */
export const Queue = ({ onOpen, onSignOut }: QueueProps) => {
  const [state, setState] = useState<CaseState>('OPEN');
  const [cases, setCases] = useState<CaseSummary[]>();
  const [statistics, setStatistics] = useState<Statistics>();
  const [message, setMessage] = useState('');

  useEffect(() => {
    let gone = false;
    const failed = (error: Error): void => {
      const refused = error instanceof Refused && (error.status === 401 || error.status === 403);
      if (refused) onSignOut(error.message);
      else setMessage(`${error.message} Trying again.`);
    };
    const load = (): void => {
      listCases(state).then(({ items }) => {
        if (gone) return;
        setMessage('');
        setCases(items);
      }, failed);
      loadStatistics().then(setStatistics, () => undefined);
    };
    setCases(undefined);
    load();
    const timer = setInterval(load, REFRESH_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [state]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event)) return;
      if (event.key === 'j') move(1);
      if (event.key === 'k') move(-1);
      if (event.key === 'ArrowRight') setState((now) => neighbour(now, 1));
      if (event.key === 'ArrowLeft') setState((now) => neighbour(now, -1));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  const waiting = statistics?.open ?? 0;
  useEffect(() => {
    document.title = waiting > 0 ? `${waiting} open – Assay console` : 'Assay console';
  }, [waiting]);

  return (
    <main>
      <nav class="bar">
        <Keys keys={KEYS} />
        <button type="button" onClick={() => onSignOut('')}>
          Sign out
        </button>
      </nav>
      <h1>Cases</h1>
      <Numbers statistics={statistics} />
      <div role="tablist" aria-label="Cases by state" class="tabs">
        {STATES.map(([value, label]) => (
          <button key={value} type="button" role="tab" aria-selected={state === value} onClick={() => setState(value)}>
            {label}
          </button>
        ))}
      </div>
      <p role="alert" class="message">
        {message}
      </p>
      {!cases && !message && <p role="status">Loading …</p>}
      {cases?.length === 0 && <p role="status">{STATES.find(([value]) => value === state)?.[2]}</p>}
      <ul class="cases">
        {cases?.map((each) => (
          <Row key={each.caseId} of={each} onOpen={onOpen} />
        ))}
      </ul>
    </main>
  );
};
