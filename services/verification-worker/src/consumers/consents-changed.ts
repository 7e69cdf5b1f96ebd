import type { ConsentFacts, consentsChanged, DataOf, Envelope } from '@assay/contracts';
import type { CaseChanger } from '../flows/change-case.ts';

type Changed = DataOf<typeof consentsChanged>;

/**
 * The consents after a change: the newest list counts, and deletions are remembered, whatever the
 * order of the events.
 */
const consentsAfter = (before: ConsentFacts, { consentsRevision, consents, change }: Changed): ConsentFacts => {
  const deletedIds = change.type === 'DELETE' ? change.consents.map(({ consentId }) => consentId) : [];
  const deleted = [...new Set([...before.deleted, ...deletedIds])].sort();
  return consentsRevision > before.revision
    ? { known: consents, revision: consentsRevision, deleted }
    : { ...before, deleted };
};

/** consents.changed: evaluates the evidence that depends on a consent again. */
export const onConsentsChanged =
  ({ changer }: { changer: CaseChanger }) =>
  (event: Envelope<Changed>): Promise<void> =>
    changer.change(event, (before) => ({
      after: { ...before, consents: consentsAfter(before.consents, event.data) },
    }));
