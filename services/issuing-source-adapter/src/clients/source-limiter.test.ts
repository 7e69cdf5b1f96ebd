import { describe, expect, jest, test } from '@jest/globals';
import type { SourceReply } from './connector.ts';
import { createSourceLimiter, type LimitedCall } from './source-limiter.ts';

const LIMITS = { concurrent: 2, concurrentTotal: 20, perSecond: 1000 };
const answer: SourceReply = { kind: 'ANSWER', answer: { result: 'VERIFIED', raised: [] } };
const outage = (kind: 'FAULT' | 'REFUSED'): SourceReply => ({ kind: 'OUTAGE', outage: kind });
const task = (jurisdiction: string, ask: LimitedCall['ask'], more: Partial<LimitedCall> = {}): LimitedCall => ({
  source: 'S',
  jurisdiction,
  limits: LIMITS,
  mayAsk: async () => true,
  ask,
  ...more,
});

describe('a jurisdictionLimiter', () => {
  test('admits as many questions as its limits allow, lets some wait, and refuses the others; other jurisdictions are not affected', async () => {
    const limiter = createSourceLimiter();
    let release = (): void => undefined;
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    let inFlight = 0;
    const slow = Array.from({ length: 12 }, () =>
      limiter.run(
        task('TX', async () => {
          inFlight += 1;
          await blocked;
          return answer;
        }),
      ),
    );
    expect(await limiter.run(task('GA', async () => answer))).toEqual({ kind: 'REPLY', reply: answer });
    expect(inFlight).toBe(2);
    release();
    const kinds = (await Promise.all(slow)).map(({ kind }) => kind);
    // Two run and eight wait, so two are too many.
    expect(kinds.filter((kind) => kind === 'BUSY')).toHaveLength(2);
  });

  test('stops asking a source that keeps failing, in that jurisdiction only; refusals do not count as failures', async () => {
    const limiter = createSourceLimiter();
    const kinds = async (jurisdiction: string, reply: SourceReply) => {
      const all: string[] = [];
      for (let asked = 0; asked < 7; asked += 1)
        all.push((await limiter.run(task(jurisdiction, async () => reply))).kind);
      return all.join(' ');
    };
    expect(await kinds('TX', outage('FAULT'))).toBe('REPLY REPLY REPLY REPLY REPLY OPEN OPEN');
    expect(await kinds('GA', outage('REFUSED'))).toBe('REPLY REPLY REPLY REPLY REPLY REPLY REPLY');
    expect(await kinds('FL', answer)).toBe('REPLY REPLY REPLY REPLY REPLY REPLY REPLY');
  });

  test('asks a failing source again after a pause, one question at first, whatever the clock of the machine says', async () => {
    let at = 0;
    const limiter = createSourceLimiter({ elapsedMs: () => at });
    const run = async (ask: LimitedCall['ask']) => (await limiter.run(task('TX', ask))).kind;
    const fails = async () => outage('FAULT');
    // Given a circuit that opened while the clock of the machine was a day ahead
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000);
    for (let asked = 0; asked < 5; asked += 1) await run(fails);
    clock.mockRestore();
    expect(await run(fails)).toBe('OPEN');
    // When the pause is over, and the source still fails
    at = 5000;
    expect([await run(fails), await run(fails)]).toEqual(['REPLY', 'OPEN']);
    // Then it is asked again after the next one, and as before once it answers
    at = 10_000;
    let reply = (_answer: SourceReply): void => undefined;
    const trial = run(() => new Promise((resolve) => (reply = resolve)));
    await new Promise(setImmediate);
    expect(await run(fails)).toBe('BUSY');
    reply(answer);
    expect([await trial, await run(fails), await run(async () => answer)]).toEqual(['REPLY', 'REPLY', 'REPLY']);
  });

  test('does not ask a question that may no longer be asked', async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return answer;
    };
    expect(await createSourceLimiter().run(task('TX', ask, { mayAsk: async () => false }))).toEqual({ kind: 'BUSY' });
    expect(asked).toBe(0);
  });

  test('does not exceed its rate', async () => {
    let at = 0;
    const limiter = createSourceLimiter({ elapsedMs: () => at });
    const run = async () =>
      (await limiter.run(task('TX', async () => answer, { limits: { ...LIMITS, perSecond: 2 } }))).kind;
    expect([await run(), await run(), await run()]).toEqual(['REPLY', 'REPLY', 'BUSY']);
    at = 500;
    expect([await run(), await run()]).toEqual(['REPLY', 'BUSY']);
  });

  test('shares its limits with the other replicas, however many there are at the time', async () => {
    let replicas = 1;
    const limiter = createSourceLimiter({ elapsedMs: () => 0, replicas: () => replicas });
    const releases: (() => void)[] = [];
    let asked = 0;
    const hold = async () => {
      asked += 1;
      await new Promise<void>((resolve) => releases.push(resolve));
      return answer;
    };
    const begin = async (jurisdiction: string) => {
      asked = 0;
      const running = Array.from({ length: 4 }, () =>
        limiter.run(task(jurisdiction, hold, { limits: { ...LIMITS, concurrent: 4 } })),
      );
      await new Promise(setImmediate);
      return { asked, running };
    };
    const all = [await begin('TX')];
    replicas = 2;
    all.push(await begin('TX'), await begin('GA'));
    replicas = 9;
    all.push(await begin('FL'));
    expect(all.map((each) => each.asked)).toEqual([4, 2, 2, 1]);
    for (let ended = 0; ended < 16; ended += 1) {
      releases.shift()?.();
      await new Promise(setImmediate);
    }
    expect((await Promise.all(all.flatMap(({ running }) => running))).map(({ kind }) => kind)).toEqual(
      Array(16).fill('REPLY'),
    );
  });
});
