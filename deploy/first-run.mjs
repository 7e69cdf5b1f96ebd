/**
 * Makes, once, what an installation needs before its first start: the keys by which the services
 * know each other, a key of its own for each service that seals something, the users of broker and
 * database with their permissions, and a first tenant with its keys. Usage: node first-run.mjs
 * FOLDER FOLDER gets a folder for each service, `broker` for RabbitMQ and `mongo` for MongoDB.
 * ACCEPT_SPECIMENS=true lets the first tenant accept specimen documents, to try Assay out.
 */
import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: node first-run.mjs FOLDER');
// Files for the engines can be read by others: a folder that is made here is for its user alone.
mkdirSync(folder, { recursive: true, mode: 0o700 });
const BROKER_ADDRESS = process.env.BROKER_ADDRESS ?? 'rabbitmq:5672';
/**
 * HOST:PORT, several with commas between them; MONGO_OPTIONS is what follows the `?` of the
 * address.
 */
const MONGO_ADDRESS = process.env.MONGO_ADDRESS ?? 'mongo:27017';
const MONGO_OPTIONS = process.env.MONGO_OPTIONS ?? (process.env.MONGO_ADDRESS ? '' : 'directConnection=true');
const SERVICES = [
  'gateway',
  'evidence-intake',
  'verification-worker',
  'issuing-source-adapter',
  'proof-builder',
  'notifier',
];
/** Each seals what it stores under a key that no other service has. */
const SEALING_SERVICES = ['gateway', 'proof-builder', 'notifier'];
/** The databases of each service: its user may use these and no others. */
const DATABASES = {
  gateway: ['assay_gateway', 'assay_keys'],
  'evidence-intake': ['assay_evidence_intake'],
  'verification-worker': ['assay_verification_worker'],
  'issuing-source-adapter': ['assay_issuing_source_adapter'],
  'proof-builder': ['assay_proof_builder', 'assay_proof_keys'],
  notifier: ['assay_notifier'],
};
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const letters = (count) => {
  const bytes = [...randomBytes(count * 2)].filter((byte) => byte < 248);
  return bytes.length < count
    ? letters(count)
    : bytes
        .slice(0, count)
        .map((byte) => alphabet[byte % 62])
        .join('');
};
const apiKey = (role) => `asy_${role}_${letters(8)}_${letters(43)}`;

/** Writes a file unless it is there, and gives its content. */
const once = (path, content, mode = 0o600) => {
  const file = join(folder, path);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  mkdirSync(join(file, '..'), { recursive: true });
  const text = content();
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
  console.log(`wrote ${path}`);
  return text;
};
const key = () => randomBytes(32).toString('base64');

/** RabbitMQ's own form of a password: salt and SHA-256 of salt and password, in base64. */
const passwordHash = (password) => {
  const salt = randomBytes(4);
  return Buffer.concat([salt, createHash('sha256').update(salt).update(password).digest()]).toString('base64');
};

/**
 * What a service may do at the broker. It declares and writes what it likes, because an event must
 * have its queues; it reads its own queues only, and the empty one that names the suite's
 * databases. The gateway also reads dead letters, for the administrator.
 */
const permissionsOf = (service) => {
  const own = service === 'gateway' ? `gateway\\..*|.*\\.dead` : `${service}\\..*`;
  return {
    user: service,
    vhost: '/',
    configure: '.*',
    write: '.*',
    read: `^(assay\\.events|assay\\.databases|${own})$`,
  };
};

const definitions = (passwords) => ({
  vhosts: [{ name: '/' }],
  users: Object.entries(passwords).map(([name, password]) => ({
    name,
    password_hash: passwordHash(password),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: [],
  })),
  permissions: SERVICES.map(permissionsOf),
});

const mongoUrl = (service) =>
  `mongodb://${service}:${letters(43)}@${MONGO_ADDRESS}/?${['authSource=admin', MONGO_OPTIONS].filter(Boolean).join('&')}`;
const passwordIn = (url) => /^mongodb:\/\/[^:]+:([^@]+)@/.exec(url)?.[1];

/**
 * What makes the users of MongoDB: its first start runs it; elsewhere `mongosh ADDRESS users.js`,
 * as somebody who may make users.
 */
const mongoUsers = (users) => `// Made by first-run.mjs, once.
const users = ${JSON.stringify(users, null, 2)};
for (const user of users) db.getSiblingDB('admin').createUser(user);
`;
const mongoUserOf = (user, pwd, databases) => ({
  user,
  pwd,
  roles: databases.map((database) => ({ role: 'readWrite', db: database })),
});

const tenant = () => ({
  tenantId: randomUUID(),
  name: 'First',
  settings: { issuingSources: { enabled: true }, acceptSpecimens: process.env.ACCEPT_SPECIMENS === 'true' },
  keys: { RELYING_SERVICE: apiKey('rs'), USER_AGENT: apiKey('ua'), OPERATOR: apiKey('op') },
});

/**
 * A key pair (P-256) for each service: each gets its own private key and everybody's public key.
 */
const internalKeys = () => {
  const pairs = SERVICES.map((service) => ({ service, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }));
  const publicKeys = Object.fromEntries(
    pairs.map(({ service, publicKey }) => [service, publicKey.export({ type: 'spki', format: 'pem' })]),
  );
  return pairs.map(({ service, privateKey }) => {
    const own = privateKey.export({ type: 'pkcs8', format: 'pem' });
    return /** @type {const} */ ([service, JSON.stringify({ privateKey: own, publicKeys })]);
  });
};

// Each holds the public keys of the others: where one is missing, all are made anew.
const keysFile = (/** @type {string} */ service) => `${service}/internal-keys`;
if (!SERVICES.every((service) => existsSync(join(folder, keysFile(service))))) {
  for (const service of SERVICES) rmSync(join(folder, keysFile(service)), { force: true });
  for (const [service, keys] of internalKeys()) once(keysFile(service), () => keys);
}
// Before the gateway's master key: where that one is, a seed that is not was taken out after the
// first start. Another one would make an administrator whom nobody asked for.
if (!existsSync(join(folder, 'gateway/master-key')))
  once('gateway/seed.json', () => `${JSON.stringify({ tenants: [tenant()], administrator: apiKey('ad') }, null, 2)}\n`);
for (const service of SEALING_SERVICES) once(`${service}/master-key`, key);
const passwords = Object.fromEntries(
  SERVICES.map((service) => {
    const url = once(`${service}/amqp-url`, () => `amqp://${service}:${letters(43)}@${BROKER_ADDRESS}`);
    return [service, new URL(url).password];
  }),
);
// Read by RabbitMQ's own user, from a folder that no service has.
once('broker/definitions.json', () => JSON.stringify(definitions(passwords), null, 2), 0o644);
once(
  'broker/rabbitmq.conf',
  () => 'listeners.tcp.default = 5672\nload_definitions = /run/assay/broker/definitions.json\n',
  0o644,
);
const mongoUserOfService = (service) =>
  mongoUserOf(service, passwordIn(once(`${service}/mongo-url`, () => mongoUrl(service))), DATABASES[service]);
const mongoAdministrator = {
  user: 'administrator',
  pwd: once('mongo/administrator-password', () => letters(43)),
  roles: [{ role: 'root', db: 'admin' }],
};
// Read by MongoDB's own user, from a folder that no service has.
once('mongo/users.js', () => mongoUsers([mongoAdministrator, ...SERVICES.map(mongoUserOfService)]), 0o644);
