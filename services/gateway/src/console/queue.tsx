import { useEffect, useState } from 'preact/hooks';
import { type CaseState, type CaseSummary, listCases, loadStatistics, type Statistics } from './api.ts';
import { ago, typeInWords } from './words.ts';

const STATES: [CaseState, string][] = [
  ['OPEN', 'Open'],
  ['CLAIMED', 'Claimed'],
  ['DECIDED', 'History'],
];
const REFRESH_MS = 5000;

const Numbers = ({ statistics }: { statistics: Statistics | undefined }) => (
  <dl class="numbers">
    {Object.entries({
      Open: statistics?.open,
      Claimed: statistics?.claimed,
      Accepted: statistics?.accepted,
      Rejected: statistics?.rejected,
      'Median time':
        statistics?.medianDecisionSeconds === undefined ? '–' : `${Math.round(statistics.medianDecisionSeconds)} s`,
    }).map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value ?? '–'}</dd>
      </div>
    ))}
  </dl>
);

/** The queue of cases by state, refreshed every few seconds, with the figures of the day. */
export const Queue = ({
  onOpen,
  onSignOut,
}: {
  onOpen: (caseId: string) => void;
  onSignOut: (reason: string) => void;
}) => {
  const [state, setState] = useState<CaseState>('OPEN');
  const [cases, setCases] = useState<CaseSummary[]>();
  const [statistics, setStatistics] = useState<Statistics>();

  useEffect(() => {
    const load = (): void => {
      listCases(state).then(
        ({ items }) => setCases(items),
        (error: Error) => onSignOut(error.message),
      );
      loadStatistics().then(setStatistics, () => undefined);
    };
    load();
    const timer = setInterval(load, REFRESH_MS);
    return () => clearInterval(timer);
  }, [state]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const links = [...document.querySelectorAll<HTMLButtonElement>('.case')];
      const at = links.indexOf(document.activeElement as HTMLButtonElement);
      if (event.key === 'j') links[Math.min(at + 1, links.length - 1)]?.focus();
      if (event.key === 'k') links[Math.max(at - 1, 0)]?.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  return (
    <main>
      <nav class="bar">
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
      {cases?.length === 0 && <p role="status">Nothing here. New cases appear by themselves.</p>}
      <ul class="cases">
        {cases?.map((each) => (
          <li key={each.caseId}>
            <button type="button" class="case" onClick={() => onOpen(each.caseId)}>
              <strong>{typeInWords(each.type)}</strong>
              <span>waiting since {ago(each.requestedAt)}</span>
              <span>
                {each.state === 'DECIDED' ? (each.decision ?? '').toLowerCase() : `expires ${ago(each.expiresAt)}`}
              </span>
              {each.fourEyes && (
                <span class="mark warning">four eyes{each.decisions.length ? ', second decision' : ''}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <p class="help">
        <kbd>J</kbd> and <kbd>K</kbd> move, <kbd>Enter</kbd> opens a case.
      </p>
    </main>
  );
};
