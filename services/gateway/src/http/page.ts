import { ApiError } from '@assay/http';
import { type TSchema, Type } from 'typebox';
import { type CallOf, query } from './call.ts';

const LARGEST = 200;
const USUAL = 50;

/** The shape of every list: `{items, cursor?}`. */
export const page = (item: TSchema) =>
  Type.Object({ items: Type.Array(item), cursor: Type.Optional(Type.String({ description: 'for the next page' })) });

export const pageQuery = { cursor: 'from the page before', limit: `1 to ${LARGEST}, ${USUAL} by default` } as const;

/** A call of a route that answers with a page. */
export type PageCall = CallOf<never, keyof typeof pageQuery>;

const limitOf = (call: PageCall): number => {
  const text = query(call, 'limit');
  if (text === undefined) return USUAL;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LARGEST)
    throw new ApiError('BAD_FIELD', { field: 'limit', message: `must be a whole number from 1 to ${LARGEST}` });
  return limit;
};

/**
 * The place that a cursor names; undefined without a cursor.
 * @throws BAD_FIELD where `read` finds none in it
 */
export const placeIn = <Place>(
  cursor: string | undefined,
  read: (cursor: string) => Place | undefined,
): Place | undefined => {
  if (cursor === undefined) return undefined;
  const place = read(cursor);
  if (place === undefined)
    throw new ApiError('BAD_FIELD', { field: 'cursor', message: 'must be the cursor of the page before' });
  return place;
};

/**
 * One page: asks for one item more than it shows, to know whether there are more. The cursor is the
 * id of the last item shown.
 */
export const pageOf = async <T>(
  call: PageCall,
  list: (after: string | undefined, limit: number) => Promise<T[]>,
  idOf: (item: T) => string,
): Promise<{ items: T[]; cursor?: string }> => {
  const limit = limitOf(call);
  const found = await list(query(call, 'cursor'), limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(found.length > limit && last !== undefined ? { cursor: idOf(last) } : {}) };
};
