import type { Readable } from 'node:stream';
import { type Delivery, formatDateTime, type Timeline, type TimelineItem } from '@assay/contracts';
import { ApiError, type CallClaims } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { openJson, sealingContext } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import type { Notifier } from '../clients/notifier.ts';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { Identity } from '../domain/identity.ts';
import { summaryOf } from '../domain/identity-summary.ts';
import { isForgotten, whyNotReadable } from '../domain/transaction.ts';
import { type EvidenceData, identityView } from '../domain/views.ts';
import type { AuditStore } from '../store/audit.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';

export interface Deps {
  identities: Identities;
  keys: IdentityKeys;
  audit: AuditStore;
  intake: Pick<EvidenceIntake, 'read'>;
  proofBuilder: Pick<ProofBuilder, 'history' | 'openedHistory'>;
  notifier: Pick<Notifier, 'deliveries'>;
  now: Clock;
}

/** An identity as an administrator names it. */
export interface Named {
  tenantId: string;
  identityId: string;
  requestId: string;
}

const DELIVERIES_A_PAGE = '500';
/** Of an identity with more deliveries the newest are shown. */
const MOST_PAGES = 20;

/** The deliveries about an identity, page by page. */
const deliveriesOf = async (
  { deliveries }: Pick<Notifier, 'deliveries'>,
  { tenantId, identityId, requestId }: Named,
): Promise<Delivery[]> => {
  const found: Delivery[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await deliveries(requestId, { tenantId, identityId, limit: DELIVERIES_A_PAGE, cursor });
    found.push(...page.items);
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  return found;
};

const deliveryItem = ({ deliveryId, event, state, createdAt, attempts }: Delivery): TimelineItem => ({
  at: createdAt,
  kind: 'DELIVERY',
  type: event,
  details: { deliveryId, state, attempts },
});

const actItem = ({ at, seq, content }: AuditEntry): TimelineItem[] => {
  if (!content) return [];
  const { act, actor, details } = content;
  return [{ at, kind: 'ACT', type: act, details: { seq, role: actor.role, keyId: actor.keyId, ...details } }];
};

/** The stored time of an event is written in two ways: with and without the zone, always UTC. */
const inOneForm = (item: TimelineItem): TimelineItem => ({
  ...item,
  at: formatDateTime(new Date(/Z$/.test(item.at) ? item.at : `${item.at}Z`)),
});

/** Oldest first. In one form times have the order of their texts, whatever the machine's zone. */
const inOrder = (items: readonly TimelineItem[]): TimelineItem[] =>
  items.map(inOneForm).sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));

const readers = ({ identities, keys, now }: Deps) => {
  const find = async ({ tenantId, identityId }: Named): Promise<Identity> => {
    const identity = await identities.find(tenantId, identityId);
    if (!identity || isForgotten(identity, now())) throw new ApiError('NOT_FOUND');
    return identity;
  };
  return {
    find,

    /** The identity with its key; 410 once it is closed. */
    open: async (named: Named): Promise<{ identity: Identity; dataKey: Buffer; claims: CallClaims }> => {
      const identity = await find(named);
      const dataKey = whyNotReadable(identity) ? undefined : await keys.find(identity._id);
      if (!dataKey) throw new ApiError('CLOSED');
      return { identity, dataKey, claims: { ...named, key: dataKey } };
    },
  };
};

/**
 * What the suite has of one identity: what happened to it, and all of it for the person it is
 * about.
 */
export const createIdentityRecords = (deps: Deps) => {
  const { audit, intake, proofBuilder, notifier, now } = deps;
  const { find, open } = readers(deps);

  const others = async (named: Named) => {
    const [deliveries, acts] = await Promise.all([
      deliveriesOf(notifier, named),
      audit.ofIdentity(named.tenantId, named.identityId),
    ]);
    return [...deliveries.map(deliveryItem), ...acts.flatMap(actItem)];
  };

  return {
    find,

    /**
     * What happened, oldest first, without anything personal. Of a closed identity, what no purge
     * took.
     */
    timeline: async (named: Named): Promise<Timeline> => {
      const identity = await find(named);
      const [events, more] = await Promise.all([proofBuilder.history(named), others(named)]);
      return { identity: summaryOf(identity), items: inOrder([...events, ...more]) };
    },

    /** All that is stored of the person, opened; images are named, to be fetched one by one. */
    exportPerson: async (named: Named): Promise<object> => {
      const { identity, dataKey, claims } = await open(named);
      const context = sealingContext(named.tenantId, named.identityId, 'evidence-data');
      const view = identityView(identity, 'RELYING_SERVICE', ({ sealedData }) =>
        sealedData === undefined ? {} : openJson<EvidenceData>(dataKey, context, sealedData),
      );
      const [history, more] = await Promise.all([proofBuilder.openedHistory(claims), others(named)]);
      return {
        exportedAt: formatDateTime(now()),
        tenantId: named.tenantId,
        ...view,
        ...history,
        others: inOrder(more),
      };
    },

    medium: async (named: Named, mediaId: string): Promise<Readable> => {
      const { claims } = await open(named);
      return intake.read(claims, mediaId);
    },
  };
};

export type IdentityRecords = ReturnType<typeof createIdentityRecords>;
