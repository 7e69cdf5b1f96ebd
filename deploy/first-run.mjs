/**
 * Makes, once, what an installation under compose keeps for itself: the secret the services share, the master key, and a first tenant with
 * its keys. Usage: node first-run.mjs SHARED_FOLDER KEYS_FOLDER
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [shared, keys] = process.argv.slice(2);
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

const once = (file, content) => {
  if (existsSync(file)) return;
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  console.log(`wrote ${file}`);
};

const tenant = {
  tenantId: randomUUID(),
  name: 'First',
  settings: { issuingSources: { enabled: true }, acceptSpecimens: true },
  keys: { RELYING_SERVICE: apiKey('rs'), USER_AGENT: apiKey('ua'), OPERATOR: apiKey('op') },
};

once(join(shared, 'internal-secret'), randomBytes(32).toString('base64'));
once(join(keys, 'master-key'), randomBytes(32).toString('base64'));
once(join(keys, 'seed.json'), `${JSON.stringify({ tenants: [tenant], administrator: apiKey('ad') }, null, 2)}\n`);
