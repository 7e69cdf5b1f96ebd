import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as onASlowLine } from 'node:timers/promises';
import { inspectProof, readKeys, type VerificationKey } from '@assay/client';
import type { VerificationAndEvaluationDetails } from '@assay/contracts';
import { type Answer, newIdentity, newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';

/**
 * Retrieves the proof from the real suite: downloads that break, that are slow, that come twice at
 * once, or that race submissions.
 */

type Identity = Awaited<ReturnType<typeof newIdentity>>;
const MB = 1024 * 1024;

let keys: VerificationKey[];
let tenant: Tenant;
beforeAll(async () => {
  keys = readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
  tenant = await newTenant('retrieval', { issuingSources: { enabled: false } });
});

const opened = async (bytes: Buffer) => {
  const { report, contents } = await inspectProof(bytes, keys);
  expect(report.reasons).toEqual([]);
  const details = contents!.json['verificationAndEvaluationDetails.json'].toString();
  return {
    proofId: report.proof!.proofId,
    elements: JSON.parse(details) as VerificationAndEvaluationDetails[],
  };
};

/** An identity whose proof is larger than the buffers between two sockets. */
const largeIdentity = async (tenant: Tenant): Promise<Identity> => {
  const identity = await newIdentity(tenant.relyingService);
  for (let file = 0; file < 2; file += 1) {
    const parts = { File: randomBytes(14 * MB), Metadata: JSON.stringify([{ key: 'kind', value: 'noise' }]) };
    expect((await tenant.relyingService.upload(`${identity.at}/additional-files`, parts)).status).toBe(200);
  }
  return identity;
};

const download = (tenant: Tenant, { at }: Identity): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = new URL(`${at}/proof`, readStack().baseUrl);
    request(url, { headers: { apikey: tenant.keys.relyingService }, agent: false }, resolve)
      .once('error', reject)
      .end();
  });

/** Reads the first bytes and breaks the connection. */
const broken = async (tenant: Tenant, identity: Identity): Promise<IncomingMessage> => {
  const response = await download(tenant, identity);
  expect(response.statusCode).toBe(200);
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('data', resolve));
  response.destroy();
  return response;
};

const archivesOf = async (identityId: string): Promise<number> => {
  const connection = await mongoose.createConnection(readStack().mongoUrl).asPromise();
  const { databases } = await connection.db!.admin().listDatabases();
  const { name } = databases.find((database) => /proof_builder$/.test(database.name))!;
  const found = await connection.useDb(name).db!.collection('proofs').countDocuments({ identityId });
  await connection.close();
  return found;
};

describe('a broken download', () => {
  test('is repeated with the same proof, before closing and after it, and no submission is accepted meanwhile', async () => {
    const identity = await largeIdentity(tenant);
    const response = await broken(tenant, identity);
    expect((await tenant.relyingService.get(identity.at)).status).toBe(200);
    expect((await identity.consent('PORTRAIT')).status).toBe(409);
    const first = await identity.proof();
    expect((await tenant.relyingService.get(identity.at)).status).toBe(410);
    const second = await identity.proof();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(response.headers['content-type']).toContain((await opened(first.bytes)).proofId);
  }, 120_000);

  test('that no client repeats loses its archive when the grace period ends, and the identity is closed', async () => {
    const hasty = await newTenant('hasty', { retention: { proofGraceSeconds: 1 } });
    const identity = await largeIdentity(hasty);
    await broken(hasty, identity);
    await waitFor('the end', async () => (await hasty.relyingService.get(identity.at)).status === 410, 20_000);
    expect((await identity.proof()).status).toBe(410);
    await waitFor('the archive to go', async () => (await archivesOf(identity.id)) === 0, 20_000);
  }, 120_000);

  test('that is only slow is not cut off by the end of the grace period', async () => {
    const hasty = await newTenant('slow', { retention: { proofGraceSeconds: 1 } });
    const identity = await largeIdentity(hasty);
    const response = await download(hasty, identity);
    const chunks: Buffer[] = [];
    let nextPause = MB;
    for await (const chunk of response) {
      chunks.push(chunk);
      nextPause -= chunk.length;
      if (nextPause > 0) continue;
      nextPause += MB;
      await onASlowLine(150);
    }
    expect((await opened(Buffer.concat(chunks))).elements).toHaveLength(2);
  }, 120_000);
});

test('two simultaneous retrievals give the same proof', async () => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.stable(body.id, 60_000);
  const [one, other] = await Promise.all([identity.proof(), identity.proof()]);
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(one.bytes.equals(other.bytes)).toBe(true);
  expect((await opened(one.bytes)).proofId).toBe((await opened(other.bytes)).proofId);
}, 90_000);

describe('of retrievals and submissions that race', () => {
  const ROUNDS = 4;
  const AT_ONCE = 4;

  /** Retrieves the proof, again while the service answers 503. */
  const retrieve = async (identity: Identity): Promise<Answer> => {
    const answer = await identity.proof();
    return answer.status === 503 ? retrieve(identity) : answer;
  };

  /** Retrieves the proof of an identity that was still open, once its evidence is processed. */
  const later = async (identity: Identity): Promise<Answer> => {
    await waitFor(
      'the end of processing',
      async () => (await identity.get()).globalStatus.status === 'EXPECTING_INPUT',
      60_000,
    );
    return retrieve(identity);
  };

  const holdsExactly = async (proof: Answer, accepted: readonly string[]): Promise<void> => {
    expect(proof.status).toBe(200);
    const { elements } = await opened(proof.bytes);
    expect(elements.map(({ participantContextId }) => participantContextId).sort()).toEqual([...accepted].sort());
  };

  const rounds = async (round: (nth: number) => Promise<void>): Promise<void> => {
    for (let batch = 0; batch < ROUNDS; batch += 1)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => round(batch * AT_ONCE + nth)));
  };

  test('exactly one wins, and an accepted document is in the proof', async () => {
    const outcomes: string[] = [];
    await rounds(async (nth) => {
      const identity = await newIdentity(tenant.relyingService);
      const submit = () => identity.document(specimen('passport.jpg'));
      const retrieving = nth % 2 ? retrieve(identity) : undefined;
      const [submission, proof] = await Promise.all([submit(), retrieving ?? retrieve(identity)]);
      outcomes.push(`${submission.status} ${proof.status}`);
      if (proof.status === 200) await holdsExactly(proof, []);
      else await holdsExactly(await later(identity), [submission.body.id]);
    });
    for (const outcome of outcomes) expect(['200 403', '409 200', '410 200']).toContain(outcome);
    expect(outcomes).toHaveLength(ROUNDS * AT_ONCE);
  }, 300_000);

  test('every accepted submission of several is in the proof, and no refused one', async () => {
    await rounds(async () => {
      const identity = await newIdentity(tenant.relyingService);
      const api = tenant.relyingService;
      const [proof, consents, ...evidences] = await Promise.all([
        retrieve(identity),
        identity.consent('MOBILE', 'ADDRESS'),
        api.post(`${identity.at}/attributes`, { surname: { value: 'SPECIMEN' } }),
        api.post(`${identity.at}/addresses`, { city: 'UTOPIA' }),
        api.upload(`${identity.at}/additional-files`, { File: Buffer.from('a note') }),
      ]);
      for (const { status } of [consents, ...evidences]) expect([200, 409, 410]).toContain(status);
      expect([200, 403]).toContain(proof.status);
      const accepted = [
        ...(consents.status === 200 ? consents.body.map(({ consentId }: { consentId: string }) => consentId) : []),
        ...evidences.filter(({ status }) => status === 200).map(({ body }) => body.id),
      ];
      await holdsExactly(proof.status === 200 ? proof : await later(identity), accepted);
    });
  }, 300_000);
});
