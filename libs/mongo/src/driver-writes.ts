import { createRequire } from 'node:module';

/** The part of a connection of the driver that the workaround below needs. */
interface DriverConnection {
  closed: boolean;
  error?: Error | null;
  once(event: 'close', listener: () => void): void;
  off(event: 'close', listener: () => void): void;
}
type WriteCommand = (this: DriverConnection, ...args: unknown[]) => Promise<void>;

const MENDED = Symbol('mended');
type Prototype = { writeCommand?: WriteCommand; [MENDED]?: true };

/** The driver that mongoose uses; it exports no way to its connections. */
const connectionPrototype = (): Prototype => {
  const mongoose = createRequire(import.meta.url).resolve('mongoose');
  const { Connection } = createRequire(mongoose)('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: Prototype };
  };
  return Connection.prototype;
};

/** Rejects when the connection closes; `stop` ends the watch. */
const closing = (connection: DriverConnection) => {
  let onClose = (): void => undefined;
  const closed = new Promise<never>((_resolve, reject) => {
    onClose = () => reject(connection.error ?? new Error('connection closed'));
    connection.once('close', onClose);
  });
  return { closed, stop: () => connection.off('close', onClose) };
};

/**
 * Has a command fail when its connection closes before the command is written. The driver waits for
 * `drain` then, which a socket that is gone never tells: the operation, and where it was the
 * monitor's the whole client, hung for ever, whatever its timeouts.
 * @throws when the driver is another one than the mend was made for
 */
export const mendDriverWrites = (): void => {
  const prototype = connectionPrototype();
  if (prototype[MENDED]) return;
  const { writeCommand } = prototype;
  if (!writeCommand) throw new Error('the MongoDB driver has no writeCommand: see driver-writes.ts');
  prototype[MENDED] = true;
  prototype.writeCommand = async function (...args) {
    const { closed, stop } = closing(this);
    const written = writeCommand.apply(this, args);
    await Promise.race([written, closed]).finally(stop);
  };
};
