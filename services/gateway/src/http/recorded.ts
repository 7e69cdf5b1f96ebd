import { type AuditAct, QUEUES } from '@assay/contracts';
import type { Reply } from '@assay/http';
import { type AuditLog, SUITE_CHAIN } from '../flows/audit.ts';
import type { ReadLog } from '../flows/read-log.ts';
import type { Tenants } from '../store/tenants.ts';
import { type Call, param } from './call.ts';
import type { Route } from './route.ts';

export interface RecordingDeps {
  auditLog: AuditLog;
  readLog: ReadLog;
  tenants: Pick<Tenants, 'find'>;
}

/** Ids as the suite gives them: of records and files of chips, people, crops, and certificates. */
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-\d{1,4})?|person-[0-9a-f]{32}|[\w-]{32}|[0-9a-f]{64})$/;
/** In place of text that is no id. */
const UNKNOWN = 'unknown';

/** The tenant that a path names, which may be nobody's; undefined where it names none. */
const namedTenant = async ({ tenants }: RecordingDeps, call: Call): Promise<string | undefined> => {
  const named = param(call, 'tenantId');
  const isOwn = named !== '' && named === call.tenant?.tenantId;
  return isOwn || named === '' ? named || undefined : (await tenants.find(named))?.tenantId;
};

/**
 * The ids in a path. Entries of the log are never erased, and a path carries what a caller puts
 * there, such as an address: text that is no id is left out.
 */
const idsIn = ({ request }: Call, tenantId: string | undefined): Record<string, string> => {
  const isKnown = (name: string, value: string): boolean =>
    name === 'tenantId' ? value === tenantId : name === 'queue' ? Object.hasOwn(QUEUES, value) : ID.test(value);
  return Object.fromEntries(
    Object.entries(request.params).map(([name, given]) => {
      // A queue may be named by where its dead letters are.
      const value = name === 'queue' ? String(given).replace(/\.dead$/, '') : String(given);
      return [name, isKnown(name, value) ? value : UNKNOWN];
    }),
  );
};

const madeBy = ({ seedId }: Call, act: AuditAct) => (act.endsWith('.create') ? { made: seedId } : {});

/** The route, with its act recorded before it is done. */
const withActRecorded = (route: Route, deps: RecordingDeps): Route => {
  const { audit, auditOfRepeat, handle, complete } = route;
  const around = async (act: AuditAct, call: Call, work: () => Promise<Reply> | Reply): Promise<Reply> => {
    const tenantId = await namedTenant(deps, call);
    // That of the tenant it is done to, else of the one who does it.
    const chain = tenantId ?? call.tenant?.tenantId ?? SUITE_CHAIN;
    const subject = { ...idsIn(call, tenantId), ...madeBy(call, act) };
    return deps.auditLog.around(chain, call, act, subject, work);
  };
  return {
    ...route,
    ...(audit ? { handle: (call) => around(audit, call, () => handle(call)) } : {}),
    ...(auditOfRepeat && complete
      ? { complete: (call, stored) => around(auditOfRepeat, call, () => complete(call, stored)) }
      : {}),
  };
};

/** The route, with what it tells of a person recorded before its reply leaves. */
const withReadsRecorded = (route: Route, { readLog }: RecordingDeps): Route => {
  const { isPersonal, id, handle } = route;
  if (!isPersonal) return route;
  return {
    ...route,
    handle: async (call) => {
      const reply = await handle(call);
      await readLog.before(call, id, idsIn(call, undefined));
      return reply;
    },
  };
};

/** The route, with what it does and tells in the audit log. */
export const recorded = (route: Route, deps: RecordingDeps): Route =>
  withActRecorded(withReadsRecorded(route, deps), deps);
