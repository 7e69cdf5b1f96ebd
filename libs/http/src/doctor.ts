import { createHmac, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ServiceName } from '@assay/contracts';
import {
  type CheckName,
  type Environment,
  environmentFindings,
  environmentOf,
  type Finding,
  type ServiceFindings,
} from '@assay/contracts';
import { examineProcess, startedWith, systemClock } from '@assay/runtime';
import { ok, type Reply } from './reply.ts';

const DAY_MS = 24 * 3600 * 1000;
const CERTIFICATE_DAYS = 30;

/** How long the certificate of the service is still valid. */
const certificateFinding = ({ values: { TLS_CERT: pem } }: Environment, now: Date): Finding => {
  const check = 'certificate';
  if (!pem) return { check, status: 'OK', message: 'none: plain HTTP' };
  const days = Math.floor((new Date(new X509Certificate(pem).validTo).getTime() - now.getTime()) / DAY_MS);
  if (days < 0) return { check, status: 'PROBLEM', message: 'TLS_CERT has expired' };
  return days < CERTIFICATE_DAYS
    ? { check, status: 'WARNING', message: `TLS_CERT ends in ${days} days` }
    : { check, status: 'OK', message: `good for ${days} days` };
};

/** A fingerprint: equal for equal keys, and useless for finding the key. */
const fingerprintOf = (masterKey: string): string =>
  createHmac('sha256', Buffer.from(masterKey, 'base64')).update('assay: which master key').digest('hex').slice(0, 24);

/** The findings of this process: its environment, its connections, itself. */
export const examineService = async (service: ServiceName): Promise<ServiceFindings> => {
  const read = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  const environment = environmentOf(service, startedWith(), read);
  const now = systemClock();
  const examined = (await examineProcess()).map((found) => ({ ...found, check: found.check as CheckName }));
  const { MASTER_KEY: masterKey } = environment.values;
  return {
    // The instant of the answer: the checks before it may take seconds.
    at: systemClock().toISOString(),
    findings: [...environmentFindings(environment), certificateFinding(environment, now), ...examined],
    ...(masterKey ? { masterKeyFingerprint: fingerprintOf(masterKey) } : {}),
  };
};

/** GET /internal/v1/doctor: the findings of this service about itself, for the gateway. */
export const createDoctorRoute = (service: ServiceName) => async (): Promise<Reply> =>
  ok(await examineService(service));
