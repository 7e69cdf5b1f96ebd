import type { consentsChanged, DataOf, Envelope } from '@assay/contracts';
import type { CaseChanger } from '../change-case.ts';
import type { ConsentFacts } from '../domain/facts.ts';

type Changed = DataOf<typeof consentsChanged>;

/** The consents after news of a change: the newest list counts, what was deleted is remembered whatever the order of the news. */
export const consentsAfter = (before: ConsentFacts, { consentsRevision, consents, change }: Changed): ConsentFacts => {
  const gone = change.type === 'DELETE' ? change.consents.map(({ consentId }) => consentId) : [];
  const deleted = [...new Set([...before.deleted, ...gone])].sort();
  return consentsRevision > before.revision
    ? { known: consents, revision: consentsRevision, deleted }
    : { ...before, deleted };
};

/** consents.changed: evidence that rests on a consent is evaluated with it as it now stands. */
export const onConsentsChanged =
  ({ changer }: { changer: CaseChanger }) =>
  (event: Envelope<Changed>): Promise<void> =>
    changer.change(event, (before) => ({
      after: { ...before, consents: consentsAfter(before.consents, event.data) },
    }));
