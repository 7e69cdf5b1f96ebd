import { type Bus, type BusOptions, connectBus, on, Poison } from '@assay/bus';
import { type Envelope, identityClosed } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { quietLog, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const QUEUE = 'issuing-source-adapter.closing';

const anEvent = (): Envelope<unknown> => ({
  id: newId(),
  type: identityClosed.type,
  at: new Date().toISOString(),
  tenantId: 'tenant-0000000000000001',
  identityId: newId(),
  data: { reason: 'DELETED', closedAt: '2026-01-02T03:04:05.678', forgetAt: '2026-02-02T03:04:05.678' },
});

type Place = Pick<BusOptions, 'url' | 'namespace' | 'connect'>;

/**
 * What the suite relies on in a broker. RabbitMQ and its replacement in the simulation must both
 * pass.
 */
export const holdsOfABroker = (name: string, place: () => Place): void => {
  describe(`a broker: ${name}`, () => {
    let bus: Bus;
    const heard: string[] = [];
    const failing = new Map<string, Error>();
    beforeAll(async () => {
      bus = await connectBus({ ...place(), service: 'contract', log: quietLog, roomsMs: [20, 50] });
      await bus.publish(first);
      const handle = async ({ id }: Envelope<unknown>): Promise<void> => {
        heard.push(id);
        const error = failing.get(id);
        if (error instanceof Poison) throw error;
        failing.delete(id);
        if (error) throw error;
      };
      await bus.consume(QUEUE, [on(identityClosed, handle)], { prefetch: 2 });
    });
    afterAll(() => bus?.close());
    const first = anEvent();
    const times = (id: string): number => heard.filter((one) => one === id).length;

    test('what is published before a consumer exists is stored, and delivered once', async () => {
      await waitFor('the first event', () => times(first.id) === 1);
    });

    test('a message that fails waits in a waiting room and is delivered again; one that cannot be read is a dead letter that can be replayed', async () => {
      const [later, bad] = [anEvent(), anEvent()];
      failing.set(later.id, new Error('not now'));
      failing.set(bad.id, new Poison('never'));
      await bus.publish(later);
      await bus.publish(bad);
      await waitFor('the second attempt', () => times(later.id) === 2);
      const dead = await waitFor('the dead letter', async () => {
        const found = await bus.deadLetters.peek(QUEUE);
        return found && found.length > 0 ? found : undefined;
      });
      expect(dead).toMatchObject([{ messageId: bad.id, type: identityClosed.type }]);
      failing.delete(bad.id);
      expect(await bus.deadLetters.replay(QUEUE)).toBe(1);
      await waitFor('the replayed one', () => times(bad.id) === 2);
      expect(await bus.deadLetters.list()).toEqual([]);
      expect([times(first.id), times(later.id)]).toEqual([1, 2]);
    });
  });
};
