import { quietLog, startProxy, testStack } from '@assay/testing';
import { type BusOptions, connectBus } from '../index.ts';

const { amqpUrl, namespace } = testStack();

/** The notifier's bus in a namespace of its own, behind a proxy that can disturb it. */
export const connectThroughProxy = async (more: Pick<BusOptions, 'roomsMs'> = {}) => {
  const proxy = await startProxy(amqpUrl);
  const own = namespace();
  const bus = await connectBus({
    url: proxy.through(amqpUrl),
    service: 'notifier',
    log: quietLog,
    namespace: own,
    confirmMs: 500,
    publishPatienceMs: 500,
    ...more,
  });
  const close = async (): Promise<void> => {
    proxy.release();
    await bus.close();
    await proxy.close();
  };
  return { bus, proxy, own, close };
};
