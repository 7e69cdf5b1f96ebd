import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import jwt from 'jsonwebtoken';
import { type ArchivePlan, layoutOf, planArchive, signedContent } from '../domain/archive.ts';
import { gather } from '../domain/history.ts';
import { openHistory } from '../flows/open-history.ts';
import { zipOf } from '../flows/zip.ts';
import { TENANT } from './event-builder.ts';
import type { Flow } from './longest-flow.ts';

/** The time at which the synthetic proofs were made. */
export const ENDED_AT = new Date('2026-03-02T10:30:00.123Z');

/** The plan of a synthetic flow's archive, made like the service's. */
export const planOf = (flow: Flow): ArchivePlan => {
  const records = flow.events.map(({ type, at, data }) => ({ type, at, data }));
  return planArchive({
    request: flow.request,
    tenantId: TENANT,
    history: gather(openHistory(records, { key: flow.key, tenantId: TENANT, identityId: flow.identityId })),
    stored: flow.media,
    componentVersion: '0.1.0',
    endedAt: ENDED_AT,
  });
};

export const signWith = (privatePem: string, content: string): string =>
  jwt.sign(content, privatePem, { algorithm: 'RS256' });

/** The signed archive of a plan, as the service writes it. */
export const archiveOf = (flow: Flow, plan: ArchivePlan, privatePem: string): Promise<Buffer> => {
  const media = new Map([...flow.media.values()].flat().map(({ mediaId, content }) => [mediaId, content]));
  const open = async (mediaId: string) => Readable.from([media.get(mediaId)!]);
  return buffer(zipOf(layoutOf(plan, signWith(privatePem, signedContent(plan.proof)), ENDED_AT), open));
};

/** The archive in its MIME envelope, as the gateway sends it. */
export const envelopeOf = (plan: ArchivePlan, zip: Buffer): Buffer => {
  const boundary = `assay-${plan.proof.proofId}`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="proof"; filename="${plan.root}.zip"\r\nContent-Type: application/zip\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), zip, Buffer.from(`\r\n--${boundary}--\r\n`)]);
};
