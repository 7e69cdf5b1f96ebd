/** An operation that has a name, of an object that reaches a database. */
type Operations<Name extends string> = { [name in Name]: (...args: never[]) => PromiseLike<unknown> };

/**
 * The next call of an operation reaches the database, which applies it, and then the connection is
 * lost: whoever waits for the outcome is left without. Resolves once that has happened.
 */
export const loseReply = <Name extends string>(target: Operations<Name>, name: Name): Promise<void> =>
  new Promise((resolve) => {
    const original = target[name];
    target[name] = async (...args) => {
      target[name] = original;
      await original.apply(target, args);
      resolve();
      throw new Error('connection closed before the reply came');
    };
  });
