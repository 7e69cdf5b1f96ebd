import { type DoctorReply, DoctorReplySchema } from '@assay/contracts';
import { ok } from '@assay/http';
import { ROLES } from '../domain/roles.ts';
import type { ExamineSuite } from '../flows/doctor.ts';
import type { CallOf } from './call.ts';
import { type Route, route } from './route.ts';

interface Deps {
  examineSuite: ExamineSuite;
}

/** This very request shows whether the proxy in front is trusted. */
const proxyFindings = ({ request, ip }: CallOf<never>): DoctorReply['findings'] => {
  const named = request.headers['x-forwarded-for'];
  if (named === undefined || request.ips.length > 0 || ip === undefined) return [];
  const message =
    'a proxy names whom it forwards, but TRUSTED_PROXIES does not believe it: all callers have its address';
  return [{ check: 'proxies', status: 'WARNING', message, where: 'gateway' }];
};

/** Fitness for production (docs/production.md). */
export const adminDoctorRoutes = ({ examineSuite }: Deps): Route[] => [
  route({
    tag: 'Administration',
    roles: ROLES.ADMINISTRATORS,
    id: 'examineSuite',
    method: 'get',
    path: '/doctor',
    summary: 'What keeps this suite from being fit for production; findings only, never a secret',
    reply: { description: 'Findings', schema: DoctorReplySchema },
    errors: [],
    handle: async (call) => {
      const { at, findings } = await examineSuite(call.requestId);
      return ok({ at, findings: [...findings, ...proxyFindings(call)] });
    },
  }),
];
