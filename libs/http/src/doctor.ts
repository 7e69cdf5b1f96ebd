import { createHmac, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type CheckName,
  environmentFindings,
  environmentOf,
  type Finding,
  type ServiceFindings,
  type ServiceName,
} from '@assay/contracts';
import { examineProcess, startedWith, systemClock } from '@assay/runtime';
import { ok, type Reply } from './reply.ts';

const DAY_MS = 24 * 3600 * 1000;
const CERTIFICATE_DAYS = 30;

/**
 * How long the certificate is valid that the service shows, and whether its file has another one
 * by now: a renewed one is shown from the next start on.
 */
const certificateFinding = (shown: string | undefined, inFile: string | undefined, now: Date): Finding => {
  const check = 'certificate';
  if (!shown) return { check, status: 'OK', message: 'none: plain HTTP' };
  const days = Math.floor((new Date(new X509Certificate(shown).validTo).getTime() - now.getTime()) / DAY_MS);
  const changed = inFile === shown ? '' : '; TLS_CERT was changed since the start: restart the service';
  if (days < 0) return { check, status: 'PROBLEM', message: `TLS_CERT has expired${changed}` };
  if (days < CERTIFICATE_DAYS) return { check, status: 'WARNING', message: `TLS_CERT ends in ${days} days${changed}` };
  return { check, status: changed ? 'WARNING' : 'OK', message: `good for ${days} days${changed}` };
};

/** A fingerprint: equal for equal keys, and useless for finding the key. */
const fingerprintOf = (masterKey: string): string =>
  createHmac('sha256', Buffer.from(masterKey, 'base64')).update('assay: which master key').digest('hex').slice(0, 24);

/** What cannot be read now is found like what is not there: the rest is examined all the same. */
const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * Examines this process whenever it is called: its environment, its connections, itself. Call this
 * at the start of the service: files of variables are read here, as the service reads them once. A
 * file that was changed since says nothing of what the service works with.
 */
export const createExamination = (service: ServiceName): (() => Promise<ServiceFindings>) => {
  const environment = environmentOf(service, startedWith(), read);
  const { MASTER_KEY: masterKey, TLS_CERT: shown } = environment.values;
  return async () => {
    const inFile = environmentOf(service, startedWith(), read).values.TLS_CERT;
    const certificate = certificateFinding(shown, inFile, systemClock());
    const examined = (await examineProcess()).map((found) => ({ ...found, check: found.check as CheckName }));
    return {
      // The instant of the answer: the checks before it may take seconds.
      at: systemClock().toISOString(),
      findings: [...environmentFindings(environment), certificate, ...examined],
      ...(masterKey ? { masterKeyFingerprint: fingerprintOf(masterKey) } : {}),
    };
  };
};

/** GET /internal/v1/doctor: the findings of this service about itself, for the gateway. */
export const createDoctorRoute = (service: ServiceName) => {
  const examine = createExamination(service);
  return async (): Promise<Reply> => ok(await examine());
};
