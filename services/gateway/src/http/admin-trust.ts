import { ApiError, ok } from '@assay/http';
import { Type } from 'typebox';
import {
  type Listed,
  type TrustCollection,
  TrustReportSchema,
  type VerificationWorker,
} from '../clients/verification-worker.ts';
import { ROLES } from '../domain/roles.ts';
import { type CallOf, param, query, uploadOf } from './call.ts';
import { page, pageOf, pageQuery } from './page.ts';
import { type Route, route } from './route.ts';
import { trustFormOf } from './trust-form.ts';

const ImportedSchema = Type.Object({
  added: Type.Integer(),
  known: Type.Integer(),
  refused: Type.Array(Type.Object({ subject: Type.String(), reason: Type.String() })),
});
const EntrySchema = Type.Object({
  id: Type.String(),
  country: Type.String(),
  subject: Type.String(),
  serialNumber: Type.Optional(Type.String()),
  notBefore: Type.String(),
  notAfter: Type.Optional(Type.String()),
  sha256: Type.String(),
  source: Type.String({ description: 'where it came from first' }),
  sources: Type.Optional(Type.Array(Type.String(), { description: 'everything that contains it' })),
  level: Type.Enum(['MASTER_LIST', 'SINGLE']),
});

const TITLES: Readonly<Record<TrustCollection, readonly [what: string, file: string]>> = {
  csca: ["certificates of countries' signing authorities", 'a master list, an LDIF of the PKD, or a certificate'],
  crl: ['revocation lists', 'a revocation list, or an LDIF of the PKD'],
};
const NAMES: Readonly<Record<TrustCollection, string>> = { csca: 'Csca', crl: 'RevocationList' };

const routesOf = (worker: VerificationWorker, collection: TrustCollection): Route[] => {
  const [what, file] = TITLES[collection];
  const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS };
  return [
    route({
      ...common,
      id: `import${NAMES[collection]}`,
      method: 'post',
      path: `/trust/${collection}`,
      summary: `Import ${what}`,
      audit: 'trust.import',
      body: {
        kind: 'form',
        parts: { file: { description: file, file: true, required: true }, source: { description: 'where it is from' } },
      },
      reply: { description: 'What was new, known and refused', schema: ImportedSchema },
      errors: ['BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'],
      handle: async (call) => {
        const { file: bytes, source } = await trustFormOf(uploadOf(call), call.request.headers, call.response);
        return ok(await worker.importTrust(call.requestId, collection, bytes, source));
      },
    }),
    listRoute(worker, collection, `list${NAMES[collection]}s`, what),
    route({
      ...common,
      id: `remove${NAMES[collection]}`,
      method: 'delete',
      path: `/trust/${collection}/{id}`,
      summary: `Remove one of the ${what}`,
      audit: 'trust.remove',
      query: { source: 'only what came from there: it stays while another source contains it' },
      reply: { description: 'Removed; no chip rests on it any more' },
      errors: ['BAD_FIELD'],
      handle: async (call) => {
        await worker.removeTrust(call.requestId, collection, param(call, 'id'), query(call, 'source'));
        return { status: 200 };
      },
    }),
  ];
};

/** As certificates bear it, or as documents do; of theirs, D alone has one letter. */
const countryIn = (call: CallOf<never, 'country'>): string | undefined => {
  const country = query(call, 'country');
  if (country !== undefined && !/^(?:d|[a-z]{2,3})$/i.test(country))
    throw new ApiError('BAD_FIELD', { field: 'country', message: 'must be two letters or three, such as DE or DEU' });
  return country;
};

/** The order of the trust store as text: what was removed in between still has its place. */
const placeOf = ({ country, notBefore, id }: Listed): string => [country, notBefore, id].join('!');

const after =
  (items: readonly Listed[]) =>
  async (place: string | undefined, limit: number): Promise<Listed[]> =>
    items.filter((item) => place === undefined || placeOf(item) > place).slice(0, limit);

const listRoute = (
  worker: VerificationWorker,
  collection: TrustCollection | 'signers',
  id: string,
  what: string,
): Route =>
  route({
    tag: 'Administration',
    roles: ROLES.ADMINISTRATORS,
    id,
    method: 'get',
    path: `/trust/${collection}`,
    summary: `List ${what}`,
    query: {
      country: 'of one country, two letters or three',
      ...pageQuery,
      limit: '1 to 200; all entries without it and without a cursor',
    },
    reply: { description: 'Whom the suite trusts', schema: page(EntrySchema) },
    errors: ['BAD_FIELD'],
    handle: async (call) => {
      const all = await worker.listTrust(call.requestId, collection, countryIn(call));
      const isPaged = query(call, 'limit') !== undefined || query(call, 'cursor') !== undefined;
      return ok(isPaged ? await pageOf(call, after(all.items), placeOf) : all);
    },
  });

const reportRoute = (worker: VerificationWorker): Route =>
  route({
    tag: 'Administration',
    roles: ROLES.ADMINISTRATORS,
    id: 'reportTrust',
    method: 'get',
    path: '/trust/report',
    summary: 'Countries covered, master lists grown old, certificates about to expire',
    reply: { description: 'The state of the trust store', schema: TrustReportSchema },
    errors: [],
    handle: async (call) => ok(await worker.reportOfTrust(call.requestId)),
  });

/** The trust store for passport chips: global, for administrators only. */
export const adminTrustRoutes = ({ worker }: { worker: VerificationWorker }): Route[] => [
  ...routesOf(worker, 'csca'),
  ...routesOf(worker, 'crl'),
  listRoute(worker, 'signers', 'listDocumentSigners', 'certificates of document signers, as directories bring them'),
  reportRoute(worker),
];
