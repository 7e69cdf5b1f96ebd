import { PROOF_PART_NAME } from '@assay/contracts';
import type { Reply } from '@assay/http';
import { type Log, startSweeper } from '@assay/runtime';
import type { Response } from 'express';
import type { Download, RetrieveProof } from '../flows/retrieval.ts';
import { type CallOf, identityIdOf } from './call.ts';
import { flushed } from './flushed.ts';
import { multipartReply } from './multipart-reply.ts';

const LOOKED_EVERY_MS = 5000;
const LOOKS_A_GRACE = 3;

/**
 * While the client takes bytes the archive stays; one that stops taking them for a grace period
 * loses it.
 */
const extendWhileSending = (
  response: Response,
  { graceSeconds, extend }: NonNullable<Download['session']>,
  log: Log,
): void => {
  if (response.destroyed) return;
  let taken = -1;
  const extending = startSweeper({
    name: 'proof download',
    everyMs: Math.min(LOOKED_EVERY_MS, (graceSeconds * 1000) / LOOKS_A_GRACE),
    run: async () => {
      const before = taken;
      taken = (response.socket?.bytesWritten ?? 0) - (response.socket?.writableLength ?? 0);
      if (taken > before) await extend();
    },
    log,
  });
  response.once('close', () => void extending.close());
};

/**
 * Sends the archive (endpoint 9): the identity is closed once the connection has taken everything
 * but the closing line.
 */
export const sendProof =
  ({ retrieve, log }: { retrieve: RetrieveProof; log: Log }) =>
  async (call: CallOf<'identityId'>): Promise<Reply> => {
    const { response } = call;
    const { proofId, filename, bytes, archive, session } = await retrieve(call, identityIdOf(call));
    const open = async () => archive;
    const part = { name: PROOF_PART_NAME, filename, contentType: 'application/zip', bytes, open };
    if (session) extendWhileSending(response, session, log);
    return multipartReply(`assay-${proofId}`, [part], async () => {
      if (!session) return;
      await flushed(response);
      await session.finish();
    });
  };
