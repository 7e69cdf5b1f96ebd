/** The first bytes of a stream, and the whole stream, including these bytes. */
export interface Headed {
  head: Buffer;
  /** True if the stream has no further bytes. */
  complete: boolean;
  whole: AsyncIterable<Buffer>;
}

/** Reads up to about `size` bytes ahead, without losing them. */
export const takeHead = async (source: AsyncIterable<Buffer>, size: number): Promise<Headed> => {
  const chunks = source[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  let complete = false;
  while (length < size && !complete) {
    const next = await chunks.next();
    complete = next.done === true;
    if (!next.done) {
      first.push(next.value);
      length += next.value.length;
    }
  }
  const head = Buffer.concat(first);
  async function* whole(): AsyncGenerator<Buffer> {
    yield* first;
    if (complete) return;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  return { head, complete, whole: whole() };
};

/** All bytes of a small part; undefined when there are more than `limit`. */
export const takeAll = async (source: AsyncIterable<Buffer>, limit: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  }
  return length <= limit ? Buffer.concat(chunks) : undefined;
};
