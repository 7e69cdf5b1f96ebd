/** An object with an operation of this name that reaches a database. */
type Operations<Name extends string> = { [name in Name]: (...args: never[]) => PromiseLike<unknown> };

/**
 * The next call of an operation reaches the database, which applies it; then the connection is
 * lost, and the caller does not learn the outcome. Resolves once that has happened.
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
