import { table } from '@assay/contracts/table';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Message } from '../design/display.tsx';
import { Frame } from '../design/frame.tsx';
import { type CaseView, claimCase } from './api.ts';
import type { Availability } from './availability.ts';
import { Decide } from './decide.tsx';
import { differencesOn } from './fields.ts';
import { Chips, Fields, Indicators, Likeness } from './findings.tsx';
import { Keys } from './help.tsx';
import { Picture, Zoom } from './picture.tsx';
import { Progress, timeOf } from './progress.tsx';
import { CASE_KEYS, useShortcuts } from './shortcuts.ts';
import { useCase } from './use-case.ts';
import { caseNumber, differing, faceBesideFace, typeInWords, whyInWords } from './words.ts';

interface CaseProps {
  caseId: string;
  onBack: () => void;
  onNext: () => void;
  onSignOut: (reason: string) => void;
}

/** What is asked: which document of whom, and why it needs a person. */
const Subject = ({
  view,
  availability,
  heading,
}: {
  view: CaseView;
  availability: Availability;
  heading: RefObject<HTMLHeadingElement | null>;
}) => (
  <>
    <h1 ref={heading} tabIndex={-1}>
      {typeInWords(view.type)} <small>{caseNumber(view.caseId)}</small>{' '}
      <small class={view.decision ? `outcome ${view.decision.toLowerCase()}` : ''}>{timeOf(view, availability)}</small>
    </h1>
    <p class="help">
      Identity <code>{view.identityId}</code>
      {view.businessId && (
        <>
          {' '}
          of <strong>{view.businessId}</strong>
        </>
      )}
    </p>
    <section aria-label="Why it needs a person" class="why">
      {view.reasons.map((reason) => (
        <p key={reason}>
          <strong>Why it needs a person:</strong> {whyInWords(reason, view.raisedIndicators)}
        </p>
      ))}
    </section>
  </>
);

interface FindingsProps {
  view: CaseView;
  zoom: number;
  setZoom: (change: number | ((now: number) => number)) => void;
}

/** Images side by side at one zoom, what the checks say, and what was read. */
const Findings = ({ view, zoom, setZoom }: FindingsProps) => {
  const [marked, setMarked] = useState(true);
  return (
    <div>
      <section aria-label="Images">
        <div class="pictures">
          {faceBesideFace(view.media).map(({ mediaId, label }) => (
            <Picture
              key={mediaId}
              caseId={view.caseId}
              mediaId={mediaId}
              label={label}
              differences={
                marked ? differencesOn(label, view.fields, differing(view.raisedIndicators), view.places) : []
              }
              zoom={zoom}
              onZoom={setZoom}
            />
          ))}
        </div>
        {view.media.length === 0 ? <p>There are no images of this case.</p> : <Zoom zoom={zoom} onZoom={setZoom} />}
        {view.places && (
          <Button id="marks" aria-pressed={marked} onClick={() => setMarked(!marked)}>
            Mark what differs <kbd>M</kbd>
          </Button>
        )}
      </section>
      <div class="columns">
        <section aria-labelledby="checks">
          <h2 id="checks">Checks</h2>
          <Indicators raised={view.raisedIndicators} />
        </section>
        <Likeness view={view} />
        <Chips view={view} />
        <Fields view={view} />
      </div>
    </div>
  );
};

interface DecisionProps {
  view: CaseView;
  availability: Availability;
  /** Ends once the claim was answered. */
  onClaim: () => Promise<void>;
  onNext: () => void;
  /** The form of the decision, for whoever has the case. */
  children: ComponentChildren;
}

const CLAIM = table<string>({
  free: 'Claim this case',
  taken: 'Claim it, if the claim lapsed',
  lapsed: 'Claim it again',
});

/** How far the case is, and what the operator can do with it now. */
const Decision = ({ view, availability, onClaim, onNext, children }: DecisionProps) => {
  const [claiming, setClaiming] = useState(false);
  const claim = (): void => {
    // A second claim on a slow line would be answered after the decision that followed the first.
    setClaiming(true);
    void onClaim().finally(() => setClaiming(false));
  };
  return (
    <>
      <Progress view={view} availability={availability} />
      {CLAIM[availability] && (
        <Button id="claim" tone="primary" wide disabled={claiming} onClick={claim}>
          {CLAIM[availability]} <kbd>C</kbd>
        </Button>
      )}
      {availability === 'free' && (
        <p class="help">Claim the case to decide it. No other operator can decide it meanwhile.</p>
      )}
      {(availability === 'mine' || availability === 'lapsed') && children}
      {(availability === 'decided' || availability === 'awaits-another' || availability === 'expired') && (
        <Button id="next" tone="primary" wide onClick={onNext}>
          Next case <kbd>N</kbd>
        </Button>
      )}
    </>
  );
};

/**
 * One case: why it needs a person, images side by side at one zoom, what the checks say and what
 * was read, and beside them the decision.
 */
export const Case = ({ caseId, onBack, onNext, onSignOut }: CaseProps) => {
  const { view, availability, message, setMessage, show, refused } = useCase(caseId, onSignOut);
  const [zoom, setZoom] = useState(1);
  const heading = useRef<HTMLHeadingElement>(null);
  const decision = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [view === undefined]);
  useEffect(() => {
    const words = view ? `${typeInWords(view.type)} ` : 'Case ';
    document.title = `${words}${caseNumber(caseId)} – Assay console`;
  }, [view === undefined]);
  // What had the focus may have vanished: a comment, when the case ended.
  useEffect(() => {
    if (document.activeElement === document.body) decision.current?.focus();
  }, [availability]);
  useShortcuts({ setZoom, onBack });
  /** After an act the focus stays by the decision: the button that was pressed is gone. */
  const acted = (next: CaseView): void => {
    show(next);
    decision.current?.focus();
  };
  const nav = (
    <>
      <Keys keys={CASE_KEYS} />
      <Button onClick={onBack}>
        Back to the queue <kbd>Esc</kbd>
      </Button>
    </>
  );
  if (!view || !availability)
    return (
      <Frame title="Assay console" nav={nav}>
        <h1>Case {caseNumber(caseId)}</h1>
        <p role="status" class={message ? 'message' : ''}>
          {message || 'Loading the case …'}
        </p>
      </Frame>
    );
  return (
    <Frame title="Assay console" nav={nav}>
      <Subject view={view} availability={availability} heading={heading} />
      <div class="work">
        <Findings view={view} zoom={zoom} setZoom={setZoom} />
        <section aria-labelledby="decision" class="panel">
          <h2 id="decision" ref={decision} tabIndex={-1}>
            Decision
          </h2>
          <Message>{message}</Message>
          <Decision
            view={view}
            availability={availability}
            onClaim={() => claimCase(caseId).then(acted, refused)}
            onNext={onNext}
          >
            <Decide view={view} onDecided={acted} onMessage={setMessage} onRefused={refused} />
          </Decision>
        </section>
      </div>
    </Frame>
  );
};
