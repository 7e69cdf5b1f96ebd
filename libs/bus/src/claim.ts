import type { Log } from '@assay/runtime';
import type { ChannelModel } from 'amqplib';
import { isDeclaredOtherwise, isRefused, onOwnChannel, quorum } from './topology.ts';

/** Two suites that read the same queues take each other's messages, and acknowledge them. */
export interface Claim {
  namespace: string;
  /** DB_PREFIX: suites with different databases are different suites. */
  databases: string;
  log: Log;
}

/**
 * Declares a queue that names the databases of the suite whose namespace this is. No message is
 * ever in it. Its key for dead letters has that name, because the broker compares this argument.
 * Changes nothing where the broker does not let this user declare it.
 * @throws when the namespace belongs to the suite of other databases
 */
export const claimNamespace = async (model: ChannelModel, { namespace, databases, log }: Claim): Promise<void> => {
  const queue = `${namespace}assay.databases`;
  const options = { durable: true, deadLetterExchange: '', deadLetterRoutingKey: databases, arguments: quorum };
  const declared = onOwnChannel(model, (channel) => channel.assertQueue(queue, options));
  await declared.catch((error: unknown) => {
    const said = { msg: 'bus.not-claimed', queue, error };
    if (isRefused(error)) return log.debug(said);
    if (!isDeclaredOtherwise(error)) return log.warn(said);
    const [, other = ''] = /current is '(.*?)'/.exec(String(error)) ?? [];
    throw new Error(
      `BUS_NAMESPACE "${namespace}" is that of the suite with DB_PREFIX "${other}" (queue ${queue}), ours is "${databases}"`,
    );
  });
};
