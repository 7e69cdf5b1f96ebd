const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The ids in a list of identities that were erased, one a line.
 * @throws with the number of a line that is no id: the key of the identity that it means would be
 * restored.
 */
export const erasedIds = (text: string): string[] =>
  text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, at) => {
      const id = line.trim().toLowerCase();
      if (id !== '' && !ID.test(id)) throw new Error(`--erased: line ${at + 1} is not the id of an identity`);
      return id === '' ? [] : [id];
    });
