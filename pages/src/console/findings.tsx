import { plainWords } from '@assay/contracts/words';
import type { CaseView } from './api.ts';
import { fieldsRead } from './fields.ts';
import { likenessInWords, limitsInWords } from './likeness.ts';
import { differing, indicatorInWords } from './words.ts';

const ORDER = ['failed', 'warning', 'unverified'];

const List = ({ indicators }: { indicators: ReturnType<typeof indicatorInWords>[] }) => (
  <ul class="indicators">
    {indicators.map(({ what, status, words }) => (
      <li key={what + status}>
        <span class={`mark ${status}`}>{words}</span> {what}
      </li>
    ))}
  </ul>
);

/** What speaks against the evidence, or was not checked, first; what passed can be unfolded. */
export const Indicators = ({ raised }: { raised: string[] }) => {
  const all = raised.map(indicatorInWords);
  const passed = all.filter(({ status }) => !ORDER.includes(status));
  const open = all
    .filter(({ status }) => ORDER.includes(status))
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return (
    <>
      {open.length === 0 ? <p>Nothing speaks against it.</p> : <List indicators={open} />}
      <details>
        <summary>{passed.length} checks passed</summary>
        <List indicators={passed} />
      </details>
    </>
  );
};

/**
 * What was found on the chips of the identity: mathematics, and so the best witness of what is
 * printed.
 */
export const Chips = ({ view: { chips = [] } }: { view: CaseView }) => (
  <>
    {chips.map(({ evidenceId, status, raisedIndicators }) => (
      <section key={evidenceId} aria-label="Chip">
        <h2>
          Chip <small>{plainWords(status).toLowerCase()}</small>
        </h2>
        <Indicators raised={raisedIndicators} />
      </section>
    ))}
  </>
);

/** What was read, and where what is printed says otherwise. A selfie has no fields. */
export const Fields = ({ view: { fields, raisedIndicators, places } }: { view: CaseView }) => {
  const all = fieldsRead(fields, differing(raisedIndicators), places);
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="read">
      <h2 id="read">What was read</h2>
      <dl class="fields">
        {all.map(({ label, value, confirmed, differs, printed }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value} {confirmed && <small>confirmed</small>}
              {differs && (
                <small class="mark warning">{printed ? `the print says ${printed}` : 'the print differs'}</small>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

/** How alike a selfie and its reference are by measure, in words. */
export const Likeness = ({ view: { similarity } }: { view: CaseView }) =>
  similarity ? (
    <section aria-labelledby="likeness">
      <h2 id="likeness">How alike the faces are</h2>
      <p>{likenessInWords(similarity)}</p>
      <p class="help">{limitsInWords(similarity)}</p>
    </section>
  ) : null;
