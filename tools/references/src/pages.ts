import { ERRORS, TenantSettingsSchema } from '@assay/contracts';
import { allAlerts, allMetrics } from './metrics.ts';
import { capital, code, read, table } from './sources.ts';
import { allVariables, type Variable } from './variables.ts';

const MADE = 'Made by `npm run references`; a test keeps it true.';

const variableRows = (variables: readonly Variable[]): string[][] =>
  variables.map(({ name, kind, preset, says }) => [
    code(name),
    kind,
    preset === undefined ? 'must be set' : code(preset) || '–',
    says,
  ]);
const variableTable = (variables: readonly Variable[]): string =>
  table(['variable', 'form', 'default', 'what it is'], variableRows(variables));

/** What programs read without config.ts, because it holds before any service begins. */
const OUTSIDE: readonly Variable[] = [
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: 'address',
    preset: '',
    says: 'where spans go; without it there is no tracing. The other `OTEL_` variables work as usual',
  },
  {
    name: 'NOT_READY_LIMIT_MS',
    kind: 'whole number',
    preset: '120000',
    says: 'a process that is not ready for so long ends, to be started again; 0 switches it off',
  },
  { name: 'MONGO_COUNT', kind: '1', preset: '', says: 'counts the commands to MongoDB in /metrics' },
];

const configuration = (): string => {
  const { common, services } = allVariables();
  const parts = services.map(([name, variables]) => `## ${name}\n${variableTable(variables)}`);
  return `# Configuration
${MADE} What a tenant can have differently is in [settings](settings.md).

Services read their environment once, at the start; one whose configuration has a gap does not start and says everything that is missing or wrong.
Every variable NAME can be given as a file by NAME_FILE: the content of that file is the value. Where both are set, NAME holds. Give secrets as files.

## Every service
${variableTable(common)}

Beside these, whoever starts a service may set:

${variableTable(OUTSIDE)}

${parts.join('\n\n')}
`;
};

interface Described {
  title?: string;
  description?: string;
  default?: unknown;
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  properties?: Record<string, Described>;
  anyOf?: Described[];
}

const boundsOf = ({ minimum, maximum, maxItems }: Described): string =>
  [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
  ].join(' ');

const FORMS: Readonly<Record<string, string>> = { boolean: 'true or false', integer: 'whole number', array: 'list' };
const formOf = (schema: Described): string => {
  if (schema.enum) return schema.enum.join(', ');
  return [FORMS[schema.type ?? ''] ?? 'text', boundsOf(schema)].filter(Boolean).join(' ');
};

const settingRows = (schema: Described, prefix = ''): string[][] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const path = `${prefix}${name}`;
    const inner = given.anyOf?.find(({ properties }) => properties) ?? given;
    if (inner.properties) return settingRows(inner, `${path}.`);
    const { title = '', description = '' } = inner;
    const preset = inner.default === undefined ? '' : JSON.stringify(inner.default);
    return [[code(path), formOf(inner), code(preset) || '–', `${title}: ${description}`]];
  });

const settings = (): string => `# Settings of a tenant
${MADE}

\`PATCH /admin/v1/tenants/{tenantId} {settings}\` merges (RFC 7396): what is left out stays, null takes away and the default holds again. The [administration pages](administration.md) have a form of them.

${table(['setting', 'form', 'default', 'what it does'], settingRows(TenantSettingsSchema as unknown as Described))}

\`webhook\` as a whole is null by default: no notifications. How they are signed and repeated is in [webhooks](webhooks.md).
`;

const metrics = (): string => {
  const rows = allMetrics().map(({ name, kind, labels, by, help }) => [
    code(name),
    kind,
    labels.map(code).join(', '),
    by,
    help,
  ]);
  const alerts = allAlerts().map(({ alert, after, severity, summary, runbook }) => [
    alert,
    severity,
    after || '–',
    summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '{$1}'),
    `[${runbook.replace(/^.*\/|\.md$/g, '').replaceAll('-', ' ')}](${runbook.replace('docs/', '')})`,
  ]);
  return `# Metrics and alerts
${MADE} Every process serves its metrics at \`/metrics\` of its admin port; no label carries an id of a person or an identity. What is aimed at is in [service levels](service-levels.md).

## Metrics
${table(['metric', 'kind', 'labels', 'made by', 'what it says'], rows)}

Processes also have the usual metrics of Node.js with the prefix \`assay_process_\`. A histogram has \`_bucket\`, \`_sum\` and \`_count\`.

## Alerts
\`deploy/prometheus/alerts.yml\`; \`deploy/grafana/dashboards\` has the dashboard.

${table(['alert', 'severity', 'after', 'says', 'runbook'], alerts)}
`;
};

const INTERPOLATED = /\$\{([A-Z][A-Z0-9_]*)(?::?-([^}]*))?\}/g;

/** What an installation with Compose can set, from the file that uses it. */
const SAYS: Readonly<Record<string, string>> = {
  AAMVA_PORT: 'port of the simulated AAMVA (profile demo)',
  AAMVA_URL: 'the AAMVA service that licences of the USA are checked with; empty: it is not asked',
  ACCEPT_SPECIMENS: 'true: the first tenant accepts specimen documents; read on the first start',
  ALLOW_PRIVATE_TARGETS: 'CIDR ranges notifications may go to although they are private',
  API_PREFIX: 'first path segments the API is served under',
  ASSAY_BIND: 'address of this machine that the ports are opened on',
  ASSAY_ENV: 'local or production; local shows the simulated sources their credentials',
  ASSAY_PORT: 'port of the gateway',
  DVS_PORT: 'port of the simulated DVS (profile demo)',
  DVS_URL: 'the Australian Document Verification Service; empty: it is not asked',
  ENGINE_PROCESSES: 'engine processes of a worker, one a core',
  WORKER_MEMORY: 'the most memory of a worker; more ENGINE_PROCESSES need more',
  LOG_LEVEL: 'trace, debug, info, warn or error',
  MAILCATCHER_PORT: 'port of the catcher of mail and text messages (profile demo)',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'where spans go; empty: no tracing',
  SMS_URL: 'provider of text messages; empty: none goes out',
  SMTP_URL: 'mail server; empty: no mail goes out',
};

const environment = (): string => {
  const found = new Map(
    [...read('docker-compose.yml').matchAll(INTERPOLATED)].map(([, name = '', preset = '']) => [name, preset]),
  );
  const { common, services } = allVariables();
  const known = [...common, ...services.flatMap(([, variables]) => variables)];
  const parts = [...found.keys()].sort().map((name) => {
    const says = SAYS[name] ?? known.find((variable) => variable.name === name)?.says.replace(/\.$/, '') ?? '';
    if (says === '') throw new Error(`${name} of docker-compose.yml has no words in tools/references`);
    return `# ${capital(says)}.\n# ${name}=${found.get(name)}`;
  });
  return `# Copy to .env and take the mark from what you change; docker compose reads it. Made by \`npm run references\`.\n\n${parts.join('\n\n')}\n`;
};

interface NamedError {
  code: string;
  status?: number;
  title: string;
}

const errors = (): string => {
  const rows = Object.entries<NamedError>(ERRORS)
    .map(([name, { code, status, title }]) => [code, status ? String(status) : '–', name, title])
    .toSorted(([one = ''], [other = '']) => one.localeCompare(other));
  return `# Errors

${MADE} The errors are in \`libs/contracts/src/errors.ts\`.

Every error reply is \`application/problem+json\` (RFC 9457) and carries at least one error object \`{code, field?, message?}\` of the specification in \`errors\`. An evidence that ended NOT_VERIFIED or INVALID has such objects in its \`errors\`, too; codes without an HTTP status appear only there. \`field\` is the dotted path from the root of the body, or the name of a part or header. What is no valid HTTP request gets such a reply too: 1006 with 400 (with 431 if path and headers are too long), or 4080. A file (of the documentation or a page) is refused with 1006 and 416 if \`Range\` is beyond it, with 412 if \`If-Match\` or \`If-Unmodified-Since\` does not hold.

${table(['code', 'HTTP status', 'name in the code', 'meaning'], rows)}
`;
};

/** Every page that is made, by its path. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configuration,
  'docs/settings.md': settings,
  'docs/metrics.md': metrics,
  'docs/errors.md': errors,
  '.env.example': environment,
};
