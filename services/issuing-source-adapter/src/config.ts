import {
  atLeast,
  COMMON_CONFIG,
  environment,
  flag,
  milliseconds,
  optional,
  readConfig,
  readJsonFile,
  text,
  url,
  withDefault,
} from '@assay/runtime';

/** What the simulated sources of the local stack accept. */
const SIMULATED = {
  default: { DVS: { agencyCode: 'ASSAY', apiKey: 'simulated' }, AAMVA_DLDV: { originatorId: 'ASSAY' } },
};

/**
 * Credentials at the sources, for all tenants and for single ones: from the file, else those of the
 * local stack's simulators.
 */
const credentialsFrom = (file: string | undefined, isLocal: boolean): unknown => {
  if (file) return readJsonFile('CREDENTIALS_FILE', file);
  return isLocal ? SIMULATED : {};
};

/** Everything issuing-source-adapter takes from its environment. */
export const loadConfig = () => {
  const values = readConfig({
    /** local or production; local admits what only a development machine may. */
    ASSAY_ENV: withDefault(environment, 'production'),
    ...COMMON_CONFIG,
    /** Internal address of the gateway. */
    GATEWAY_INTERNAL_URL: url,
    /** A source without an address is not asked: its documents are not eligible. */
    DVS_URL: optional(url),
    /** Address of the DLDV service of the AAMVA. */
    AAMVA_URL: optional(url),
    /** Where its access tokens are fetched. */
    AAMVA_AUTHENTICATION_URL: optional(url),
    /** Folder of mapping files, one for each further source (docs/issuing-sources.md). */
    SOURCES_DIR: optional(text),
    /** JSON: what to show each source, for all tenants and for single ones. */
    CREDENTIALS_FILE: optional(text),
    /** Milliseconds a source has for one answer. */
    QUESTION_TIMEOUT_MS: withDefault(atLeast(1, milliseconds), 5000),
    /** Milliseconds after which a check ends inconclusive. */
    CHECK_BUDGET_MS: withDefault(atLeast(1, milliseconds), 45_000),
    /** Whether the sources' maintenance windows are kept. Simulated sources have none. */
    MAINTENANCE_WINDOWS: optional(flag),
  });
  const isLocal = values.ASSAY_ENV === 'local';
  return {
    ...values,
    maintenanceWindows: values.MAINTENANCE_WINDOWS ?? !isLocal,
    credentials: credentialsFrom(values.CREDENTIALS_FILE, isLocal),
  };
};
export type Config = ReturnType<typeof loadConfig>;
