import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { SERVICE_NAMES } from '@assay/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { suitePrograms } from './suite.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'assay-installation-'));
afterAll(() => rmSync(folder, { recursive: true }));

const firstRun = (into: string, env: NodeJS.ProcessEnv = {}): void => {
  execFileSync(process.execPath, [join(root, 'deploy/first-run.mjs'), into], { env: { ...process.env, ...env } });
};
const read = (into: string, path: string): string => readFileSync(join(into, path), 'utf8');
const filesOf = (into: string): string[] =>
  (readdirSync(into, { recursive: true }) as string[]).filter((name) => statSync(join(into, name)).isFile());

interface Definitions {
  users: { name: string; password_hash: string; tags: string[] }[];
  permissions: { user: string; read: string }[];
}

describe('the first run of an installation', () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  beforeAll(() => {
    firstRun(one);
    firstRun(other);
  });

  test('makes secrets that no two services and no two installations share', () => {
    const paths = ['gateway/master-key', 'proof-builder/master-key', 'notifier/master-key'];
    const urls = SERVICE_NAMES.flatMap((service) =>
      ['amqp-url', 'mongo-url', 'internal-keys'].map((name) => `${service}/${name}`),
    );
    const secrets = [one, other].flatMap((into) => [...paths, ...urls].map((path) => read(into, path)));
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const path of paths) expect(Buffer.from(read(one, path), 'base64')).toHaveLength(32);
  });

  test('lets nobody else on the machine into the folder that it makes', () => {
    expect(statSync(one).mode & 0o777).toBe(0o700);
  });

  test('writes to a folder that neither a commit nor an image takes in, where the chart says to call it', () => {
    const says = readFileSync(join(root, 'deploy/helm/assay/README.md'), 'utf8');
    const [, named = ''] = /node deploy\/first-run\.mjs (\S+)/.exec(says) ?? [];
    expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain(`/${named}/`);
    expect(readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')).toContain(named);
  });

  test('gives each service its own private key and the public keys of all', () => {
    for (const service of SERVICE_NAMES) {
      const { privateKey, publicKeys } = JSON.parse(read(one, `${service}/internal-keys`));
      expect(Object.keys(publicKeys)).toEqual(SERVICE_NAMES);
      expect(createPublicKey(privateKey).equals(createPublicKey(publicKeys[service]))).toBe(true);
    }
  });

  test('changes nothing when it runs again', () => {
    const before = filesOf(one).map((path) => read(one, path));
    firstRun(one);
    expect(filesOf(one).map((path) => read(one, path))).toEqual(before);
  });

  test('makes no seed, and so no administrator, again once it was taken out', () => {
    const into = join(folder, 'taken-out');
    firstRun(into);
    const before = filesOf(into).filter((path) => path !== 'gateway/seed.json');
    rmSync(join(into, 'gateway/seed.json'));
    firstRun(into);
    expect(filesOf(into)).toEqual(before);
  });

  test('that broke off behind the seed goes on with it', () => {
    const into = join(folder, 'broken-off');
    firstRun(into);
    const seed = read(into, 'gateway/seed.json');
    for (const path of filesOf(into).filter((name) => /master-key|-url|definitions|users/.test(name)))
      rmSync(join(into, path));
    firstRun(into);
    expect(read(into, 'gateway/seed.json')).toBe(seed);
    expect(filesOf(into)).toEqual(filesOf(one));
  });

  test('lets only the engines read files of others, and protects secrets from other users', () => {
    for (const path of filesOf(one).filter((name) => !/^(broker|mongo)\//.test(name)))
      expect(statSync(join(one, path)).mode & 0o077).toBe(0);
  });

  test('refuses specimens unless it is asked to accept them', () => {
    const accepts = (into: string) => JSON.parse(read(into, 'gateway/seed.json')).tenants[0].settings.acceptSpecimens;
    expect(accepts(one)).toBe(false);
    const trial = join(folder, 'trial');
    firstRun(trial, { ACCEPT_SPECIMENS: 'true' });
    expect(accepts(trial)).toBe(true);
  });

  test('gives each service a user at the broker that cannot read queues of others', () => {
    const { users, permissions } = JSON.parse(read(one, 'broker/definitions.json')) as Definitions;
    expect(users.map(({ name }) => name)).toEqual(SERVICE_NAMES);
    expect(users.every(({ tags }) => tags.length === 0)).toBe(true);
    for (const { user, read: pattern } of permissions)
      for (const service of SERVICE_NAMES)
        expect(new RegExp(pattern).test(`${service}.changes`)).toBe(service === user);
    const mayReadDeadLetters = permissions.filter(({ read: pattern }) =>
      new RegExp(pattern).test('notifier.codes.dead'),
    );
    expect(mayReadDeadLetters.map(({ user }) => user)).toEqual(['gateway', 'notifier']);
    // The broker lets only those declare it who may read it.
    expect(permissions.every(({ read: pattern }) => new RegExp(pattern).test('assay.databases'))).toBe(true);
  });
});

/** The users that a first run makes in MongoDB, as its shell would make them. */
const mongoUsersOf = (into: string) => {
  const users: { user: string; pwd: string; roles: { role: string; db: string }[] }[] = [];
  const db = { getSiblingDB: () => ({ createUser: (user: (typeof users)[number]) => users.push(user) }) };
  runInNewContext(read(into, 'mongo/users.js'), { db });
  return users;
};

describe('the users of the database', () => {
  const into = join(folder, 'database');
  beforeAll(() => firstRun(into));

  test('are one for each service, with the password in its URL, for its own databases only', () => {
    const [administrator, ...users] = mongoUsersOf(into);
    expect(administrator).toMatchObject({ user: 'administrator', pwd: read(into, 'mongo/administrator-password') });
    expect(users.map(({ user }) => user)).toEqual(SERVICE_NAMES);
    for (const { user, pwd, roles } of users) {
      expect(read(into, `${user}/mongo-url`)).toMatch(`mongodb://${user}:${pwd}@mongo:27017/?authSource=admin`);
      expect(pwd).toMatch(/^\w{43}$/);
      const main = readFileSync(join(root, 'services', user, 'src/main.ts'), 'utf8');
      const databases = [...main.matchAll(/connectMongo\([^)]*\{config\.DB_PREFIX\}(\w+)/g)].map(
        ([, name]) => `assay_${name}`,
      );
      expect(databases.length).toBeGreaterThan(0);
      expect(roles).toEqual(databases.map((database) => ({ role: 'readWrite', db: database })));
    }
    expect(new Set(users.map(({ pwd }) => pwd)).size).toBe(SERVICE_NAMES.length);
  });

  test('are made on another server if one is named', () => {
    const elsewhere = join(folder, 'elsewhere');
    firstRun(elsewhere, { MONGO_ADDRESS: 'a:27017,b:27017', MONGO_OPTIONS: 'tls=true&replicaSet=rs' });
    const url = read(elsewhere, 'notifier/mongo-url');
    expect(url).toMatch(/@a:27017,b:27017\/\?authSource=admin&tls=true&replicaSet=rs$/);
    expect(mongoUsersOf(elsewhere).find(({ user }) => user === 'notifier')?.pwd).toBe(/:(\w{43})@/.exec(url)?.[1]);
  });
});

test.each(SERVICE_NAMES)(
  '%s is in image, chart and compose file, scraped, watched and in the local stack',
  (service) => {
    const file = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8');
    expect(file('Dockerfile')).toMatch(new RegExp(`for name in broker[^;]* ${service}[ ;]`));
    expect(file('helm/assay/values.yaml')).toMatch(new RegExp(`^ {2}${service}:$`, 'm'));
    expect(file('prometheus/prometheus.yml')).toMatch(new RegExp(`^ +- ${service}$`, 'm'));
    expect(file('prometheus/alerts.yml')).toContain(`absent(up{job="assay",service="${service}"})`);
    expect(file('prometheus/alerts.test.yml')).toContain(`'up{job="assay",service="${service}"}'`);
    const port = service === 'gateway' ? 8081 : 8080;
    expect(readFileSync(join(root, 'docker-compose.yml'), 'utf8')).toContain(`_URL: http://${service}:${port}\n`);
    expect(suitePrograms.filter(({ kind }) => kind === 'service').map(({ name }) => name)).toContain(service);
  },
);

test.each([
  ['README.md', (service: string) => `| ${service} | `],
  ['docs/architecture.md', (service: string) => `| ${service} | `],
  ['docs/runbooks/upgrade-and-rollback.md', (service: string) => service],
  ['tests/setup/wrong-clock.mjs', (service: string) => service],
])('%s names every service', (path, nameOf) => {
  const text = readFileSync(join(root, path), 'utf8');
  expect(SERVICE_NAMES.filter((service) => !text.includes(nameOf(service)))).toEqual([]);
});

describe('docker-compose.yml', () => {
  const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const blockOf = (name: string): string =>
    compose.split(new RegExp(`^  ${name}:`, 'm'))[1]?.split(/^ {2}\S/m)[0] ?? '';

  test('has no password, neither given nor as a default', () => {
    expect(compose).not.toMatch(/passw(or)?d|_PASS\b/i);
    expect(compose).not.toMatch(/amqp:\/\//);
  });

  test('gives each service its own secrets and what all share, and nothing else', () => {
    for (const service of SERVICE_NAMES) {
      const mounts = [...blockOf(service).matchAll(/([a-z-]+):\/run\/assay\/(\w+):ro/g)].map(([, volume]) => volume);
      expect([service, mounts]).toEqual([service, [service]]);
    }
  });

  test('runs no engine without a login', () => {
    expect(blockOf('mongo')).toMatch(/command: \[mongod, --auth,/);
    expect(blockOf('mongo')).toMatch(/mongo-users:\/docker-entrypoint-initdb\.d:ro/);
    expect(blockOf('rabbitmq')).toMatch(/RABBITMQ_CONFIG_FILE: \/run\/assay\/broker\/rabbitmq\.conf/);
    for (const engine of ['mongo', 'rabbitmq']) expect(blockOf(engine)).not.toMatch(/^ {4}ports:/m);
    expect(compose).not.toMatch(/mongodb:\/\/mongo/);
    for (const service of SERVICE_NAMES) expect(blockOf(service)).toMatch(/<<: \*environment/);
    expect(compose).toMatch(/MONGO_URL_FILE: \/run\/assay\/own\/mongo-url/);
  });

  test('starts the gateway without its seed where SEED_FILE is set but empty', () => {
    expect(blockOf('gateway')).toMatch(/^ {6}SEED_FILE: \$\{SEED_FILE-\/run\/assay\/own\/seed\.json\}$/m);
  });

  test.each([
    ['gateway', 'OIDC'],
    ['gateway', 'SESSION'],
    ['gateway', 'TRUSTED'],
    ['issuing-source-adapter', 'AAMVA'],
    ['notifier', 'MAIL'],
    ['notifier', 'SMS'],
  ])('hands %s every variable that begins with %s', (service, family) => {
    const config = readFileSync(join(root, 'services', service, 'src/config.ts'), 'utf8');
    const names = [...config.matchAll(new RegExp(`^ +(${family}_\\w+):`, 'gm'))].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(0);
    const isHanded = (name: string): boolean =>
      new RegExp(`^ {6}${name}: \\$\\{${name}:?-`, 'm').test(blockOf(service));
    expect(names.filter((name) => !isHanded(name))).toEqual([]);
  });

  test.each(['DVS_URL', 'AAMVA_URL', 'SMTP_URL', 'SMS_URL'])(
    'leaves out what is not there: %s set but empty',
    (name) => {
      expect(compose).toMatch(new RegExp(`^ {6}${name}: \\$\\{${name}-`, 'm'));
    },
  );

  test('scrapes nothing that its networks keep away', () => {
    const config = readFileSync(join(root, 'deploy/prometheus/prometheus.yml'), 'utf8');
    const targets = [...config.matchAll(/'([a-z-]+):\d+'/g)].map(([, name]) => name!);
    expect(targets.filter((name) => !/networks: \[.*watching/.test(blockOf(name)))).toEqual([]);
  });

  test('lets no log grow without end', () => {
    const logged = (text: string): boolean => text.includes('logging: *logging');
    for (const shared of ['service', 'engine'])
      expect(logged(compose.split(`x-${shared}:`)[1]!.split(/^\S/m)[0]!)).toBe(true);
    const [, services = ''] = /^services:$([\s\S]*?)^networks:$/m.exec(compose) ?? [];
    const names = [...services.matchAll(/^ {2}([\w-]+):/gm)].map(([, name]) => name!);
    expect(names).toEqual(expect.arrayContaining([...SERVICE_NAMES, 'mongo', 'rabbitmq', 'prometheus']));
    const isShared = (name: string): boolean => /<<: \*(service|engine|simulator)$/m.test(blockOf(name));
    expect(names.filter((name) => !isShared(name) && !logged(blockOf(name)))).toEqual([]);
    expect(compose).toMatch(/x-logging: &logging\n.*\n {2}options: \{ max-size: /);
  });

  test('lets no service leave a core dump', () => {
    expect(compose.split('x-service:')[1]!.split(/^\S/m)[0]!).toContain('  ulimits: { core: 0 }\n');
    for (const name of SERVICE_NAMES) expect(blockOf(name)).toMatch(/<<: \*service$/m);
  });

  test('separates simulators and dashboards from the engines', () => {
    expect(compose).toMatch(/dvs: &simulator[\s\S]*?networks: \[outside\]/);
    for (const name of ['prometheus', 'grafana', 'traces'])
      expect(blockOf(name)).toMatch(/networks: \[watching, outside\]/);
  });
});

describe('the chart', () => {
  const chart = join(root, 'deploy/helm/assay');
  const template = (name: string): string => readFileSync(join(chart, 'templates', name), 'utf8');
  const values = readFileSync(join(chart, 'values.yaml'), 'utf8');
  const everything = [values, ...readdirSync(join(chart, 'templates')).map(template)].join('\n');

  test('has no credential and no address of an engine', () => {
    expect(everything).not.toMatch(/passw(or)?d|mongodb:\/\/[^.]|amqps?:\/\/[^.]/i);
  });

  test('reads every secret from one Secret, each service its own, under the names of the first run', () => {
    const items = [...template('deployments.yaml').matchAll(/key: \{\{ \$name \}\}-([\w-]+), path: ([\w-]+)/g)];
    expect(items.map(([, key]) => key).sort()).toEqual(['amqp-url', 'internal-keys', 'master-key', 'mongo-url']);
    for (const [, key, path] of items) expect(path).toBe(key);
    expect(template('worker-scaling.yaml')).toMatch(/key: verification-worker-amqp-url/);
  });

  test('lets its services connect to each other, to the engines and to the outside parties that they need, and to nothing else', () => {
    const policies = template('network-policies.yaml');
    expect(policies.match(/policyTypes: \[Egress\]/g)).toHaveLength(2);
    expect(policies).toMatch(/except: \{\{- toYaml \$policies\.notOutside/);
    expect(values).toMatch(/networkPolicies:\n {2}enabled: true/);
    expect(values).toMatch(/notOutside: \[10\.0\.0\.0\/8,.*169\.254\.0\.0\/16/);
    expect(
      [.../outside:\n((?: {4}\S+: .*\n)+)/.exec(values)![1]!.matchAll(/^ {4}([\w-]+):/gm)].map(([, name]) => name),
    ).toEqual(['notifier', 'issuing-source-adapter']);
  });

  test('gives every service a certificate if there is one, and then no service is called in clear', () => {
    expect(template('deployments.yaml')).toMatch(/TLS_CERT_FILE[\s\S]*TLS_KEY_FILE[\s\S]*NODE_EXTRA_CA_CERTS/);
    expect(template('_names.tpl')).toMatch(/if \.root\.Values\.tls\.secretName \}\}https\{\{ else \}\}http/);
  });
});
