import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Message } from '../design/display.tsx';
import { Frame } from '../design/frame.tsx';
import { type CaseView, claimCase } from './api.ts';
import { Decide } from './decide.tsx';
import { Chips, Fields, Indicators } from './findings.tsx';
import { Keys } from './help.tsx';
import { Picture, Zoom } from './picture.tsx';
import { Progress, timeOf } from './progress.tsx';
import { CASE_KEYS, useShortcuts } from './shortcuts.ts';
import type { Standing } from './standing.ts';
import { useCase } from './use-case.ts';
import { caseNumber, faceBesideFace, typeInWords, whyInWords } from './words.ts';

interface CaseProps {
  caseId: string;
  onBack: () => void;
  onNext: () => void;
}

/** What is asked: which document of whom, and why it needs a person. */
const Subject = ({
  of,
  standing,
  heading,
}: {
  of: CaseView;
  standing: Standing;
  heading: RefObject<HTMLHeadingElement | null>;
}) => (
  <>
    <h1 ref={heading} tabIndex={-1}>
      {typeInWords(of.type)} <small>{caseNumber(of.caseId)}</small>{' '}
      <small class={of.decision ? `outcome ${of.decision.toLowerCase()}` : ''}>{timeOf(of, standing)}</small>
    </h1>
    <p class="help">
      Identity <code>{of.identityId}</code>
      {of.businessId && (
        <>
          {' '}
          of <strong>{of.businessId}</strong>
        </>
      )}
    </p>
    <section aria-label="Why it needs a person" class="why">
      {of.reasons.map((reason) => (
        <p key={reason}>
          <strong>Why it needs a person:</strong> {whyInWords(reason, of.raisedIndicators)}
        </p>
      ))}
    </section>
  </>
);

interface FindingsProps {
  of: CaseView;
  zoom: number;
  setZoom: (change: number | ((now: number) => number)) => void;
}

/** Images side by side at one zoom, what the checks say, and what was read. */
const Findings = ({ of, zoom, setZoom }: FindingsProps) => (
  <div>
    <section aria-label="Images">
      <div class="pictures">
        {faceBesideFace(of.media).map(({ mediaId, label }) => (
          <Picture key={mediaId} caseId={of.caseId} mediaId={mediaId} label={label} zoom={zoom} onZoom={setZoom} />
        ))}
      </div>
      {of.media.length === 0 ? <p>There are no images of this case.</p> : <Zoom zoom={zoom} onZoom={setZoom} />}
    </section>
    <div class="columns">
      <section aria-labelledby="checks">
        <h2 id="checks">Checks</h2>
        <Indicators raised={of.raisedIndicators} />
      </section>
      <Chips of={of} />
      <Fields of={of} />
    </div>
  </div>
);

interface DecisionProps {
  of: CaseView;
  standing: Standing;
  onClaim: () => void;
  onNext: () => void;
  /** The form of the decision, for whoever has the case. */
  children: ComponentChildren;
}

/** How far the case is, and what the operator can do with it now. */
const Decision = ({ of, standing, onClaim, onNext, children }: DecisionProps) => (
  <>
    <Progress of={of} standing={standing} />
    {(standing === 'free' || standing === 'taken') && (
      <Button id="claim" tone="primary" wide onClick={onClaim}>
        {standing === 'free' ? 'Claim this case' : 'Claim it, if the claim lapsed'} <kbd>C</kbd>
      </Button>
    )}
    {standing === 'free' && <p class="help">Claim the case to decide it. Nobody else can decide it meanwhile.</p>}
    {standing === 'mine' && children}
    {(standing === 'decided' || standing === 'awaits-another' || standing === 'expired') && (
      <Button id="next" tone="primary" wide onClick={onNext}>
        Next case <kbd>N</kbd>
      </Button>
    )}
  </>
);

/** One case: why it needs a person, images side by side at one zoom, what the checks say and what was read, and beside them the decision. */
export const Case = ({ caseId, onBack, onNext }: CaseProps) => {
  const { of, standing, message, setMessage, show, refused } = useCase(caseId);
  const [zoom, setZoom] = useState(1);
  const heading = useRef<HTMLHeadingElement>(null);
  const decision = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [of === undefined]);
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
  if (!of || !standing)
    return (
      <Frame title="Assay console" nav={nav}>
        <p role="status" class={message ? 'message' : ''}>
          {message || 'Loading the case …'}
        </p>
      </Frame>
    );
  return (
    <Frame title="Assay console" nav={nav}>
      <Subject of={of} standing={standing} heading={heading} />
      <div class="work">
        <Findings of={of} zoom={zoom} setZoom={setZoom} />
        <section aria-labelledby="decision" class="panel">
          <h2 id="decision" ref={decision} tabIndex={-1}>
            Decision
          </h2>
          <Message>{message}</Message>
          <Decision
            of={of}
            standing={standing}
            onClaim={() => void claimCase(caseId).then(acted, refused)}
            onNext={onNext}
          >
            <Decide of={of} onDecided={acted} onMessage={setMessage} onRefused={refused} />
          </Decision>
        </section>
      </div>
    </Frame>
  );
};
