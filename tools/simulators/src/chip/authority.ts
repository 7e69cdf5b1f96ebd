import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Authority, createAuthority, drawKey, keyPairOf } from '@assay/chip/software';

const KIND = { curve: 'prime256v1' };

/**
 * The key of the authority; the same after a restart, as its certificate is, so that what was
 * issued before is still trusted.
 */
const ownKey = (file: string | undefined) => {
  if (file && existsSync(file)) {
    const privateKey = createPrivateKey(readFileSync(file));
    return keyPairOf('EC', { privateKey, publicKey: createPublicKey(privateKey) });
  }
  const pair = drawKey(KIND);
  if (file) writeFileSync(file, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  return pair;
};

const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

/**
 * The simulated country's signing authority. Its certificate is left in the folder, as
 * `chip-csca.pem`, for whoever shall trust it.
 */
export const openAuthority = (folder: string | undefined): Authority => {
  const own = ownKey(folder && join(folder, 'chip-csca.key'));
  const file = folder && join(folder, 'chip-csca.pem');
  let isFirst = true;
  const authority = createAuthority({
    ...(file && existsSync(file) ? { certificate: new X509Certificate(readFileSync(file)).raw } : {}),
    keys: (kind) => {
      const key = isFirst ? own : drawKey(kind);
      isFirst = false;
      return key;
    },
  });
  if (file) {
    writeFileSync(`${file}.next`, pemOf(authority.certificate));
    renameSync(`${file}.next`, file);
  }
  return authority;
};
