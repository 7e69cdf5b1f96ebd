import { connect } from 'node:net';
import { apiWith, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant({ limits: { requestsPerMinute: 100_000 } });
});
afterAll(() => rig.close());

const formOf = (...names: string[]): Buffer =>
  Buffer.from(
    `${names
      .map((name) => `--B\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\nbytes of it\r\n`)
      .join('')}--B--\r\n`,
  );

/**
 * Writes the head and a part of a body, then ends the connection or waits for the answer. Returns
 * the answer's status, 0 for none.
 */
const send = (
  path: string,
  body: Buffer,
  more: { key?: string; length?: number; type?: string } = {},
): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(rig.baseUrl);
    const length = more.length ?? body.length;
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: test',
      `apikey: ${acme.keys.rs}`,
      `Content-Type: ${more.type ?? 'multipart/form-data; boundary=B'}`,
      `Content-Length: ${length}`,
      'Connection: close',
      ...(more.key ? [`Idempotency-Key: ${more.key}`] : []),
      '',
      '',
    ].join('\r\n');
    socket.write(Buffer.concat([Buffer.from(head), body]), () => {
      if (length > body.length) socket.destroy();
    });
  });

/** Every route that accepts a form, with its path filled in. */
const formRoutes = async (): Promise<[path: string, body: Buffer][]> => {
  const { at } = await created(acme.rs);
  await acme.rs.post(`${at}/consents`, [{ approved: true, type: 'PORTRAIT' }]);
  const { sessionId } = (
    await acme.rs.post(`${at}/attributes/portrait/live-capture-session`, { type: 'LIVENESS_PASSIVE' })
  ).body;
  return rig.groups
    .filter(({ base }) => base.includes('{prefix}'))
    .flatMap(({ base, routes }) => routes.map((route) => ({ base, route })))
    .flatMap(({ base, route: { path, body } }) =>
      body?.kind === 'form'
        ? [
            [
              `${base}${path}`
                .replace('{prefix}', 'svc')
                .replace('/identities/{identityId}', at.replace('/svc/v1', ''))
                .replace('{sessionId}', sessionId),
              formOf(...Object.keys(body.parts)),
            ] as [string, Buffer],
          ]
        : [],
    );
};

/**
 * Positions at which a body is cut: all near boundaries, some between. The last line end, after the
 * closing delimiter, may be missing.
 */
const cuts = (body: Buffer): number[] =>
  Array.from({ length: body.length - 2 }, (_, at) => at).filter(
    (at) => at % 61 === 0 || body.length - at < 7 || body.subarray(at, at + 3).equals(Buffer.from('--B')),
  );

describe('a form that ends early', () => {
  test('is refused with 400 on every route that accepts one, with and without an Idempotency-Key', async () => {
    const routes = await formRoutes();
    expect(routes.length).toBeGreaterThanOrEqual(5);
    for (const [path, body] of routes) {
      const sent = async (at: number, key: string) => [path, at, key, await send(path, body.subarray(0, at), { key })];
      const all = cuts(body).flatMap((at) => ['', `${path.length}-${at}`].map((key) => [at, key] as const));
      for (let from = 0; from < all.length; from += 16) {
        const some = all.slice(from, from + 16);
        expect(await Promise.all(some.map(([at, key]) => sent(at, key)))).toEqual(
          some.map(([at, key]) => [path, at, key, 400]),
        );
      }
    }
  });

  test('may be sent completely under the same Idempotency-Key, and is refused again afterwards', async () => {
    const { at } = await created(acme.rs);
    const path = `${at}/id-documents/capture`;
    const body = formOf('DocumentFront');
    const part = body.subarray(0, body.length - 10);
    const statuses: number[] = [];
    for (const bytes of [part, body, body, part]) statuses.push(await send(path, bytes, { key: 'again' }));
    expect(statuses).toEqual([400, 200, 200, 400]);
  });

  test('with its boundary in another parameter only is refused, and its Idempotency-Key is unused', async () => {
    const { at } = await created(acme.rs);
    const [path, body] = [`${at}/id-documents/capture`, formOf('DocumentFront')];
    const type = 'multipart/form-data; x="a; boundary=B"';
    expect(await send(path, body, { type })).toBe(400);
    expect(await send(path, body, { type, key: 'odd' })).toBe(400);
    expect(await send(path, body, { type: `${type}; boundary=B`, key: 'odd' })).toBe(200);
  });

  test('closes nothing when the sender leaves early, nor for an unknown identity', async () => {
    const routes = [
      ...(await formRoutes()),
      ['/svc/v1/identities/unknown/portrait-reference', formOf('Portrait')],
    ] as const;
    for (const [path, body] of routes)
      for (const at of [0, 3, 30, 70, body.length - 3])
        for (const key of ['', `left-${at}`])
          await send(String(path), Buffer.from(body).subarray(0, at), { key, length: body.length + 10 });
    await waitFor(
      'answers',
      async () => (await apiWith(rig.baseUrl, acme.keys.rs).get('/svc/healthcheck')).status === 200,
    );
    expect(
      await send('/svc/v1/identities/unknown/portrait-reference', formOf('Portrait').subarray(0, 60), { key: 'k' }),
    ).toBe(404);
  });
});
