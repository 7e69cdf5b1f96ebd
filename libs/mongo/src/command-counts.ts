import { counter, flag, isInRound, readConfig, withDefault } from '@assay/runtime';
import type { Connection } from 'mongoose';

/** Counting every command costs some time: it is off by default. */
const SWITCH = { MONGO_COUNT: withDefault(flag, false) };

/** What the driver reports of a command, as far as it is counted. */
interface StartedCommand {
  commandName: string;
  command: Readonly<Record<string, unknown>>;
}

/**
 * The collection of a command: the value under the command's own name, except where a cursor is
 * read on.
 */
const collectionOf = ({ commandName, command }: StartedCommand): string => {
  const named = commandName === 'getMore' ? command.collection : command[commandName];
  return typeof named === 'string' ? named : '';
};

/**
 * Whether commands are counted in this process (`MONGO_COUNT=1`). The driver reports them only to a
 * connection that was opened for it.
 */
export const countsCommands = (): boolean => readConfig(SWITCH).MONGO_COUNT;

/**
 * Counts the commands of a connection by name, collection and cause (a round of a sweeper, or work
 * for a client or a message), as /metrics shows them.
 */
export const countCommands = (connection: Connection): void => {
  const labels = ['command', 'collection', 'cause'];
  const commands = counter('assay_mongo_commands_total', 'Commands sent to MongoDB', labels);
  connection.getClient().on('commandStarted', (event) =>
    commands.inc({
      command: event.commandName,
      collection: collectionOf(event as StartedCommand),
      cause: isInRound() ? 'round' : 'work',
    }),
  );
};
