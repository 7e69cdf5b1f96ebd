import { readFileSync } from 'node:fs';
import { COMMON_CONFIG, flag, integer, optional, readConfig, text, url, withDefault } from '@assay/runtime';

const values = readConfig({
  ASSAY_ENV: withDefault(text, 'production'),
  ...COMMON_CONFIG,
  GATEWAY_INTERNAL_URL: url,
  /** A source without an address is not asked: its documents are not eligible. */
  DVS_URL: optional(url),
  AAMVA_URL: optional(url),
  AAMVA_AUTHENTICATION_URL: optional(url),
  /** Folder of mapping files, one for each further source (docs/issuing-sources.md). */
  SOURCES_DIR: optional(text),
  /** JSON: what to show each source, for all tenants and for single ones. */
  CREDENTIALS_FILE: optional(text),
  QUESTION_TIMEOUT_MS: withDefault(integer, 5000),
  CHECK_BUDGET_MS: withDefault(integer, 45_000),
  /** Whether the sources' maintenance windows are kept. Simulated sources have none. */
  MAINTENANCE_WINDOWS: optional(flag),
});

const isLocal = values.ASSAY_ENV === 'local';

/** What the simulated sources of the local stack are shown. */
const SIMULATED = {
  default: { DVS: { agencyCode: 'ASSAY', apiKey: 'simulated' }, AAMVA_DLDV: { originatorId: 'ASSAY' } },
};

export const config = {
  ...values,
  maintenanceWindows: values.MAINTENANCE_WINDOWS ?? !isLocal,
  credentials: values.CREDENTIALS_FILE
    ? (JSON.parse(readFileSync(values.CREDENTIALS_FILE, 'utf8')) as unknown)
    : isLocal
      ? SIMULATED
      : {},
};
