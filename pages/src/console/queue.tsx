import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Tabs } from '../design/controls.tsx';
import { Empty, Message, Note } from '../design/display.tsx';
import { useLeavesFocus } from '../design/focus.ts';
import { Frame } from '../design/frame.tsx';
import { adjudicationIsOn, type CaseState, type CaseStatistics, type CaseSummary, ownId } from './api.ts';
import { decidedBy, hasLapsed } from './availability.ts';
import { exportCases } from './export.ts';
import { Finder, matches, type Order, sorted } from './finder.tsx';
import { Keys } from './help.tsx';
import { Statistics } from './statistics.tsx';
import { endedAt, useQueue, useQueueKeys } from './use-queue.ts';
import { ago, caseNumber, chosenInWords, outcomeInWords, reasonInWords, since, typeInWords } from './words.ts';

const STATES: [CaseState, string, string][] = [
  ['OPEN', 'Open', 'No case waits. New ones appear here by themselves.'],
  ['CLAIMED', 'Claimed', 'No operator works on a case now.'],
  ['DECIDED', 'History', 'Nothing was decided yet.'],
];
type View = CaseState | 'STATISTICS';
const VIEWS = [...STATES.map(([state]) => state), 'STATISTICS'] as const;

/** The views with how many cases wait or are worked on. */
const tabsOf = (statistics: CaseStatistics | undefined): (readonly [View, string])[] => [
  ['OPEN', statistics ? `Open (${statistics.open})` : 'Open'],
  ['CLAIMED', statistics ? `Claimed (${statistics.claimed})` : 'Claimed'],
  ['DECIDED', 'History'],
  ['STATISTICS', 'Statistics'],
];
const SHOWN = 50;
const KEYS = [
  ['J, K or ↓, ↑', 'move through the cases'],
  ['Enter', 'open a case'],
  ['← and →', 'open, claimed, history, statistics'],
] as const;

/** Whose a case is, or how many still have to decide. */
const whose = (summary: CaseSummary): string => {
  if (summary.state === 'CLAIMED' && hasLapsed(summary)) return 'the claim lapsed';
  if (summary.state === 'CLAIMED')
    return summary.claimedBy === ownId() ? 'yours' : (summary.claimedByName ?? "another operator's");
  if (!summary.fourEyes) return '';
  if (summary.state === 'DECIDED') return 'by two operators';
  if (summary.decisions.length === 0) return 'two must decide';
  return decidedBy(summary, ownId()) ? 'you decided, a second must' : 'one decided, a second must';
};

const Row = ({ summary, onOpen }: { summary: CaseSummary; onOpen: (caseId: string) => void }) => {
  const chosen = [...new Set(summary.decisions.flatMap(({ reasons }) => reasons))].map(chosenInWords);
  const button = useRef<HTMLButtonElement>(null);
  useLeavesFocus(button);
  return (
    <li>
      <button ref={button} type="button" class="case" data-case={summary.caseId} onClick={() => onOpen(summary.caseId)}>
        <strong>
          {typeInWords(summary.type)} <small>{caseNumber(summary.caseId)}</small>
        </strong>
        {summary.state === 'DECIDED' ? (
          <>
            <span class="what">
              <span class={`outcome ${summary.decision?.toLowerCase() ?? ''}`}>
                {outcomeInWords(summary.decision, summary.closedBecause)}
              </span>
              {chosen.length > 0 && `: ${chosen.join('; ')}`}
            </span>
            <span class="when">{ago(endedAt(summary))}</span>
            <span class="when">came {ago(summary.requestedAt)}</span>
          </>
        ) : (
          <>
            <span class="what">{summary.reasons.map(reasonInWords).join(' ')}</span>
            <span class="when">waiting for {since(summary.requestedAt)}</span>
            <span class="when">expires {ago(summary.expiresAt)}</span>
          </>
        )}
        <span class="mark warning">{whose(summary)}</span>
      </button>
    </li>
  );
};

const neighbour = (view: View, by: 1 | -1): View => VIEWS[(VIEWS.indexOf(view) + by + VIEWS.length) % VIEWS.length]!;

/** What the list says when it is short, empty or off. */
const Notes = ({ state, cases, found }: { state: CaseState; cases: readonly CaseSummary[]; found: number }) => (
  <>
    {state === 'OPEN' && cases.length > 0 && (
      <p class="help">Open a case to look at its images and decide. The longest waiting is first.</p>
    )}
    {!adjudicationIsOn() && (
      <Note tone="warn">
        Adjudication is off for this tenant: no case comes here. An administrator turns it on with the setting
        adjudication.enabled.
      </Note>
    )}
    {cases.length === 0 && adjudicationIsOn() && <Empty>{STATES.find(([value]) => value === state)?.[2]}</Empty>}
    {cases.length > 0 && found === 0 && <Empty>No case matches.</Empty>}
  </>
);

/** What is sought in the queue, and in which order. */
export interface Choice {
  search: string;
  order: Order;
}
export const NO_CHOICE: Choice = { search: '', order: 'usual' };

interface ListProps {
  /** The case the operator comes back from: it is among those that are shown. */
  from: string | undefined;
  state: CaseState;
  cases: readonly CaseSummary[];
  choice: Choice;
  onChoice: (choice: Choice) => void;
  onOpen: (caseId: string) => void;
}

/** How many cases are shown where one at this place is among them; -1: it is not there. */
const shownUpTo = (place: number): number => Math.max(1, Math.ceil((place + 1) / SHOWN)) * SHOWN;

/** The cases of a state: searched, in order, the first of them shown. */
const List = ({ from, state, cases, choice, onChoice, onOpen }: ListProps) => {
  const { search, order } = choice;
  const matching = cases.filter((each) => matches(each, search));
  const found = sorted(matching, order);
  const [shown, setShown] = useState(() => shownUpTo(found.findIndex(({ caseId }) => caseId === from)));
  return (
    <>
      {cases.length > 0 && (
        <div class="bar">
          {(cases.length > 1 || search !== '') && (
            <Finder
              search={search}
              order={order}
              onSearch={(next) => onChoice({ ...choice, search: next })}
              onOrder={(next) => onChoice({ ...choice, order: next })}
            />
          )}
          <Button disabled={found.length === 0} onClick={() => exportCases(found)}>
            Export as CSV
          </Button>
        </div>
      )}
      <Notes state={state} cases={cases} found={found.length} />
      {found.length > 0 && (
        <ul class="cases">
          {found.slice(0, shown).map((each) => (
            <Row key={each.caseId} summary={each} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {found.length > shown && (
        <p>
          {shown} of {found.length} cases. <Button onClick={() => setShown(shown + SHOWN)}>Show more</Button>
        </p>
      )}
    </>
  );
};

const addressOf = (view: View): string => `#/${view === 'OPEN' ? '' : view.toLowerCase()}`;
const viewInAddress = (): View => VIEWS.find((view) => location.hash === addressOf(view)) ?? 'OPEN';

let leftAt = '#/';
/** Where the queue was left: whoever comes back from a case finds the same view. */
export const queueAddress = (): string => leftAt;

/** The view is part of the address, as a case is: a reload and Back lead to it. */
const useView = () => {
  const [view, setView] = useState(viewInAddress);
  useEffect(() => {
    const follow = (): void => setView(viewInAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    leftAt = addressOf(view);
    if (location.hash !== leftAt) history.replaceState(null, '', leftAt);
  }, [view]);
  return [view, setView] as const;
};

interface QueueProps {
  /** The case the operator comes back from. */
  from: string | undefined;
  choice: Choice;
  onChoice: (choice: Choice) => void;
  onOpen: (caseId: string) => void;
  onSignOut: (reason: string) => void;
}

/** The queue of cases by state and the statistics, refreshed every few seconds. */
export const Queue = ({ from, choice, onChoice, onOpen, onSignOut }: QueueProps) => {
  const [view, setView] = useView();
  const state = view === 'STATISTICS' ? 'DECIDED' : view;
  const { cases, statistics, message } = useQueue(state, onSignOut);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (from) document.querySelector<HTMLButtonElement>(`[data-case="${from}"]`)?.focus();
  }, [cases !== undefined]);
  useQueueKeys((by) => setView((now) => neighbour(now, by)));
  const waiting = statistics?.open ?? 0;
  useEffect(() => {
    document.title = waiting > 0 ? `${waiting} open – Assay console` : 'Assay console';
  }, [waiting]);

  const nav = (
    <>
      <Keys keys={KEYS} />
      <Button onClick={() => onSignOut('')}>Sign out</Button>
    </>
  );
  return (
    <Frame title="Assay console" nav={nav}>
      <h1 ref={heading} tabIndex={-1}>
        Cases
      </h1>
      <Tabs label="Cases by state" value={view} options={tabsOf(statistics)} onSelect={setView} />
      <Message>{message}</Message>
      {view === 'STATISTICS' && <Statistics statistics={statistics} />}
      {view !== 'STATISTICS' && !cases && !message && <p role="status">Loading …</p>}
      {view !== 'STATISTICS' && cases && (
        <List key={view} from={from} state={state} cases={cases} choice={choice} onChoice={onChoice} onOpen={onOpen} />
      )}
    </Frame>
  );
};
