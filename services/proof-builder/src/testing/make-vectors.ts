import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '@assay/chip/software';
import NodeRSA from 'node-rsa';
import { publicJwkOf } from '../domain/signing-keys.ts';
import { longestFlow } from './longest-flow.ts';
import { CSCA_FILE } from './vector-chips.ts';
import { vectorsOf } from './vector-list.ts';

/** Writes all published test vectors again, with keys that exist only during this run. */
const folder = join(import.meta.dirname, '../../../../libs/client/test-vectors');
const pair = new NodeRSA({ b: 2048 });
const privatePem = pair.exportKey('pkcs8-private-pem');
const publicPem = pair.exportKey('pkcs8-public-pem');
const strangerPem = new NodeRSA({ b: 2048 }).exportKey('pkcs8-private-pem');
const authority = createAuthority();
const sizes = { imageBytes: 500 };
const vectors = await vectorsOf({
  flow: longestFlow('vector', sizes),
  other: longestFlow('another vector', sizes),
  privatePem,
  publicPem,
  strangerPem,
  authority,
});

mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (file !== 'README.md') rmSync(join(folder, file));
for (const { file, bytes } of vectors) writeFileSync(join(folder, file), bytes);
const csca = authority.certificate.toString('base64').replace(/.{64}/g, '$&\n');
writeFileSync(join(folder, CSCA_FILE), `-----BEGIN CERTIFICATE-----\n${csca}\n-----END CERTIFICATE-----\n`);
const index = { keys: 'jwks.json', vectors: vectors.map(({ bytes: _, ...vector }) => vector) };
writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
writeFileSync(join(folder, 'jwks.json'), `${JSON.stringify({ keys: [publicJwkOf(publicPem)] }, null, 2)}\n`);
