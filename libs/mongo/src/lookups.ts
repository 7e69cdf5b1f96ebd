import type { Model } from 'mongoose';

interface Waiting<D> {
  resolve: (found: D | null) => void;
  reject: (error: unknown) => void;
}

type Asked<D> = Map<string, Waiting<D>[]>;

export interface LookupOptions {
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document
  model: Model<any>;
  /** Members that are not read. */
  without: readonly string[];
}

/**
 * Reads documents by their ids. What is asked for while the process reads its sockets once goes out
 * as one command for each owner, and by the driver alone: a model would copy every query and look
 * for casts that an id does not need. Nobody gets an answer to a command that was sent before it
 * asked. Who asks for one document at the same time gets the same object, which nobody changes.
 */
export const createLookups = <D extends { _id: string }>({ model, without }: LookupOptions) => {
  // The version of a document's shape is shown to nobody, by a model neither.
  const projection = Object.fromEntries([...without, 'schemaVersion'].map((member) => [member, 0]));
  const waiting = new Map<string, Asked<D>>();

  const ask = async (tenantId: string, asked: Asked<D>): Promise<void> => {
    const filter = { _id: { $in: [...asked.keys()] }, tenantId } as object;
    const found = await model.collection.find(filter, { projection }).toArray();
    const byId = new Map((found as unknown as D[]).map((document) => [document._id, document]));
    for (const [id, those] of asked) for (const { resolve } of those) resolve(byId.get(id) ?? null);
  };

  const askAll = (): void => {
    const all = [...waiting];
    waiting.clear();
    for (const [tenantId, asked] of all)
      ask(tenantId, asked).catch((error: unknown) => {
        for (const { reject } of [...asked.values()].flat()) reject(error);
      });
  };

  /** The document of this id, if it is the tenant's. */
  return (tenantId: string, id: string): Promise<D | null> =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(askAll);
      const asked: Asked<D> = waiting.get(tenantId) ?? new Map();
      waiting.set(tenantId, asked);
      asked.set(id, [...(asked.get(id) ?? []), { resolve, reject }]);
    });
};
