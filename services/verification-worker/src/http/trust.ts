import { certificateCountryOf } from '@assay/chip';
import { formatDateTime, present } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import { ApiError, badFields, ok, type Reply } from '@assay/http';
import type { Clock } from '@assay/runtime';
import type { Request } from 'express';
import type { ChipProcess } from '../clients/chip-process.ts';
import type { StoredTrust } from '../domain/trust.ts';
import type { TrustStore } from '../store/trust.ts';

export interface Deps {
  trust: TrustStore;
  chips: ChipProcess;
  now: Clock;
}

/** Certificates that administrators manage are those of authorities; revocation lists are apart. */
type Collection = 'csca' | 'crl';
const KINDS: Readonly<Record<Collection, readonly StoredTrust['kind'][]>> = {
  csca: ['AUTHORITY', 'SIGNER'],
  crl: ['REVOCATION_LIST'],
};
/**
 * What can be listed; signers come in with a directory of authorities, and are removed like those.
 */
const SHOWN = table<StoredTrust['kind']>({
  csca: 'AUTHORITY',
  signers: 'SIGNER',
  crl: 'REVOCATION_LIST',
});

const collectionOf = (request: Request): Collection => {
  const { collection } = request.params;
  if (collection !== 'csca' && collection !== 'crl') throw new ApiError('NOT_FOUND');
  return collection;
};

type Listed = Awaited<ReturnType<TrustStore['list']>>[number];

const viewOf = ({ sha256, country, subject, serialNumber, notBefore, notAfter, source, sources, level }: Listed) => ({
  id: sha256,
  country,
  subject,
  ...(serialNumber ? { serialNumber } : {}),
  notBefore: formatDateTime(notBefore),
  ...present({ notAfter: notAfter && formatDateTime(notAfter) }),
  sha256,
  source,
  sources,
  level,
});

/**
 * POST /internal/v1/trust/:collection {file, source}: what an administrator gives, read in a
 * process that holds no secret. 400 for a file that is refused whole.
 */
export const createTrustImportRoute =
  ({ trust, chips, now }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const collection = collectionOf(request);
    const { file, source = '' } = (request.body ?? {}) as { file?: unknown; source?: unknown };
    const bytes = Buffer.from(String(file ?? ''), 'base64');
    const { data } = await trust.current();
    const { entries, refused, fault, list } = await chips.readTrustFile(bytes, data, now());
    if (fault) throw badFields([{ field: 'file', message: fault }]);
    const wanted = entries.filter(({ kind }) => KINDS[collection].includes(kind));
    // A directory contains both; a single list or certificate that is sent to the wrong place is
    // refused.
    if (wanted.length === 0 && refused.length === 0)
      throw badFields([{ field: 'file', message: `contains nothing for ${collection}` }]);
    const taken = entries.length === wanted.length ? wanted : entries;
    const added = await trust.add(taken.map((entry) => ({ ...entry, source: String(source), addedAt: now() })));
    if (list) await trust.listImported(String(source), list);
    return ok({ added, known: taken.length - added, refused });
  };

/** A country as certificates bear it, of two letters, asked for so or by its issuing state. */
const countryOf = (asked: unknown): string | undefined => {
  if (typeof asked !== 'string') return undefined;
  const country = asked.toUpperCase();
  return certificateCountryOf(country) ?? country;
};

/** GET /internal/v1/trust/:collection?country=: whom the suite trusts. */
export const createTrustListRoute =
  ({ trust }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const kind = SHOWN[String(request.params.collection)];
    if (!kind) throw new ApiError('NOT_FOUND');
    const found = await trust.list(kind, countryOf(request.query.country));
    return ok({ items: found.map(viewOf) });
  };

/** DELETE /internal/v1/trust/:collection/:id?source= */
export const createTrustRemovalRoute =
  ({ trust }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const { source } = request.query;
    const from = typeof source === 'string' ? source : undefined;
    const isRemoved = await trust.remove(KINDS[collectionOf(request)], String(request.params.id), from);
    if (!isRemoved) throw new ApiError('NOT_FOUND');
    return ok({});
  };

/**
 * GET /internal/v1/trust-report: countries covered, lists grown old, certificates about to expire.
 */
export const createTrustReportRoute =
  ({ trust, chips, now }: Deps) =>
  async (): Promise<Reply> => {
    const [{ data }, lists] = [await trust.current(), await trust.importedLists()];
    return ok(await chips.reportOfTrust(data, lists, now()));
  };
