import { useEffect, useRef, useState } from 'preact/hooks';
import { type CaseState, type CaseSummary, listCases, loadStatistics, ownId, Refused, type Statistics } from './api.ts';
import { isTyping, Keys } from './help.tsx';
import { decidedBy } from './standing.ts';
import {
  ago,
  caseNumber,
  chosenInWords,
  duration,
  outcomeInWords,
  reasonInWords,
  since,
  typeInWords,
} from './words.ts';

const STATES: [CaseState, string, string][] = [
  ['OPEN', 'Open', 'No case waits. New ones appear here by themselves.'],
  ['CLAIMED', 'Claimed', 'Nobody works on a case now.'],
  ['DECIDED', 'History', 'Nothing was decided yet.'],
];
const REFRESH_MS = 5000;
const SHOWN = 50;
const KEYS = [
  ['J, K or ↓, ↑', 'move through the cases'],
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
    ['Ended undecided', statistics && statistics.decided - statistics.accepted - statistics.rejected],
    ['Median from claim to decision', median === undefined ? undefined : duration(median)],
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

/** When a case ended; a case that the end of its identity closed does not tell. */
const endedAt = ({ decision, decisions, expiresAt, requestedAt }: CaseSummary): string =>
  decision === 'EXPIRED' ? expiresAt : (decisions.at(-1)?.at ?? requestedAt);
const newestFirst = (a: CaseSummary, b: CaseSummary): number => endedAt(b).localeCompare(endedAt(a));

/** Whose a case is, or how many still have to decide. */
const whose = (of: CaseSummary): string => {
  if (of.state === 'CLAIMED') return of.claimedBy === ownId() ? 'yours' : "another operator's";
  if (!of.fourEyes) return '';
  if (of.state === 'DECIDED') return 'by two operators';
  if (of.decisions.length === 0) return 'two must decide';
  return decidedBy(of, ownId()) ? 'you decided, a second must' : 'one decided, a second must';
};

const Row = ({ of, onOpen }: { of: CaseSummary; onOpen: (caseId: string) => void }) => {
  const chosen = [...new Set(of.decisions.flatMap(({ reasons }) => reasons))].map(chosenInWords);
  return (
    <li>
      <button type="button" class="case" data-case={of.caseId} onClick={() => onOpen(of.caseId)}>
        <strong>
          {typeInWords(of.type)} <small>{caseNumber(of.caseId)}</small>
        </strong>
        {of.state === 'DECIDED' ? (
          <>
            <span>
              <span class={`outcome ${of.decision?.toLowerCase() ?? ''}`}>{outcomeInWords(of.decision)}</span>
              {chosen.length > 0 && `: ${chosen.join('; ')}`}
            </span>
            <span>{ago(endedAt(of))}</span>
            <span>came {ago(of.requestedAt)}</span>
          </>
        ) : (
          <>
            <span>{of.reasons.map(reasonInWords).join(' ')}</span>
            <span>waiting for {since(of.requestedAt)}</span>
            <span>expires {ago(of.expiresAt)}</span>
          </>
        )}
        <span class="mark warning">{whose(of)}</span>
      </button>
    </li>
  );
};

/** J and K, or the arrows, move through the cases. */
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
  /** The case the operator comes back from. */
  from: string | undefined;
  onOpen: (caseId: string) => void;
  onSignOut: (reason: string) => void;
}

/** The queue of cases by state, refreshed every few seconds, with figures. */
export const Queue = ({ from, onOpen, onSignOut }: QueueProps) => {
  const [state, setState] = useState<CaseState>('OPEN');
  const [cases, setCases] = useState<CaseSummary[]>();
  const [statistics, setStatistics] = useState<Statistics>();
  const [message, setMessage] = useState('');
  const [shown, setShown] = useState(SHOWN);
  const heading = useRef<HTMLHeadingElement>(null);
  const listed = cases !== undefined;

  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (from) document.querySelector<HTMLButtonElement>(`[data-case="${from}"]`)?.focus();
  }, [listed]);
  useEffect(() => {
    let gone = false;
    const failed = (error: Error): void => {
      const refused = error instanceof Refused && (error.status === 401 || error.status === 403);
      if (refused) onSignOut(error.message);
      else setMessage(`${error.message} Trying again.`);
    };
    const load = (): void => {
      listCases(state).then((items) => {
        if (gone) return;
        setMessage('');
        setCases(state === 'DECIDED' ? items.sort(newestFirst) : items);
      }, failed);
      loadStatistics().then(setStatistics, () => undefined);
    };
    setCases(undefined);
    setShown(SHOWN);
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
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') event.preventDefault();
      if (event.key === 'j' || event.key === 'ArrowDown') move(1);
      if (event.key === 'k' || event.key === 'ArrowUp') move(-1);
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
      <h1 ref={heading} tabIndex={-1}>
        Cases
      </h1>
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
      {state === 'OPEN' && listed && cases.length > 0 && (
        <p class="help">Open a case to look at its images and decide. The longest waiting is first.</p>
      )}
      {cases?.length === 0 && <p role="status">{STATES.find(([value]) => value === state)?.[2]}</p>}
      <ul class="cases">
        {cases?.slice(0, shown).map((each) => (
          <Row key={each.caseId} of={each} onOpen={onOpen} />
        ))}
      </ul>
      {cases && cases.length > shown && (
        <p>
          {shown} of {cases.length} cases.{' '}
          <button type="button" onClick={() => setShown(shown + SHOWN)}>
            Show more
          </button>
        </p>
      )}
    </main>
  );
};
