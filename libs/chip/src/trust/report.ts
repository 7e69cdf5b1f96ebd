import { nameText } from '../certificates/name.ts';
import { group } from './group.ts';
import type { TrustStore } from './store.ts';

/** What an administrator should know about the trust store. */
export interface TrustReport {
  readonly countries: readonly {
    readonly country: string;
    readonly certificates: number;
    readonly valid: number;
    readonly revocationListUntil?: string;
  }[];
  readonly sources: readonly {
    readonly source: string;
    readonly certificates: number;
    readonly signedAt?: string;
    readonly signedUnder?: ListAuthority;
    readonly old: boolean;
  }[];
  readonly expiring: readonly { readonly subject: string; readonly sha256: string; readonly notAfter: string }[];
}

/** The authority that a master list rests on: its fingerprint is what its publisher states. */
interface ListAuthority {
  readonly subject: string;
  readonly sha256: string;
}

/** A master list that was imported. */
export interface ImportedList {
  readonly signedAt: Date;
  readonly signedUnder?: ListAuthority;
}

/** The newest master list of each source, and the limits for old lists and for expiry soon. */
export interface ReportOptions {
  readonly lists?: Readonly<Record<string, ImportedList>>;
  readonly oldAfterDays?: number;
  readonly soonDays?: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** A time as replies of the suite have it: UTC, without a zone. */
const timeOf = (at: Date): string => at.toISOString().slice(0, 23);

const sortedGroups = <T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] =>
  [...group(items, (item) => [keyOf(item)])].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Countries covered, old lists, and certificates of authorities and signers that expire soon. */
export const reportOfTrust = (
  store: TrustStore,
  now: Date,
  { lists = {}, oldAfterDays = 90, soonDays = 90 }: ReportOptions = {},
): TrustReport => ({
  countries: sortedGroups(store.certificates, ({ certificate }) => certificate.subject.country ?? '').map(
    ([country, found]) => {
      const until = store.latestRevocationList(country, now)?.nextUpdate;
      return {
        country,
        certificates: found.length,
        valid: found.filter(({ certificate }) => certificate.notBefore <= now && now <= certificate.notAfter).length,
        ...(until ? { revocationListUntil: timeOf(until) } : {}),
      };
    },
  ),
  sources: sortedGroups(store.certificates, ({ source }) => source).map(([source, found]) => {
    const { signedAt: at, signedUnder } = lists[source] ?? {};
    return {
      source,
      certificates: found.length,
      ...(at ? { signedAt: timeOf(at) } : {}),
      ...(signedUnder ? { signedUnder } : {}),
      old: at !== undefined && now.getTime() - at.getTime() > oldAfterDays * DAY,
    };
  }),
  expiring: [...store.certificates.map(({ certificate }) => certificate), ...store.signers]
    .filter(({ notAfter }) => notAfter >= now && notAfter.getTime() - now.getTime() < soonDays * DAY)
    .map(({ subject, sha256, notAfter }) => ({
      subject: nameText(subject),
      sha256,
      notAfter: timeOf(notAfter),
    })),
});
