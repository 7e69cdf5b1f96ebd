import { createHmac } from 'node:crypto';
import { type Database, trusted } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { Schema } from 'mongoose';
import { type Identified, isPersonId, personIdOf } from '../domain/person.ts';

/** A person who works with the suite. */
export interface Person {
  personId: string;
  name: string;
  /** Empty where an administrator named the person for a key. */
  issuer: string;
  subject: string;
  signedInAt?: Date;
}

interface PersonDocument extends Omit<Person, 'personId'> {
  _id: string;
}

const schema = new Schema(
  { _id: String, name: String, issuer: String, subject: String, signedInAt: Date },
  { versionKey: false, id: false },
);

const toPerson = ({ _id, ...person }: PersonDocument): Person => ({ personId: _id, ...person });

const DIGITS = 32;

export type People = ReturnType<typeof createPeople>;

/**
 * The names of operators and administrators. Other documents and the audit log refer to them by an
 * id that reveals nothing: a keyed hash of issuer and subject.
 */
export const createPeople = ({ mongodb, secret, now }: { mongodb: Database; secret: Buffer; now: Clock }) => {
  const model = mongodb.connection.model('people', schema, 'people');
  const idOf = ({ issuer, subject }: Identified): string =>
    personIdOf(
      createHmac('sha256', secret)
        .update(JSON.stringify([issuer, subject]))
        .digest('hex')
        .slice(0, DIGITS),
    );

  return {
    model,
    idOf,

    /** The person has signed in, under this name. */
    signedIn: async (who: Identified, name: string): Promise<string> => {
      const _id = idOf(who);
      await model.updateOne({ _id }, { $set: { ...who, name, signedInAt: now() } }, { upsert: true });
      return _id;
    },

    /** A person whom an administrator names; the name that an issuer gave stays. */
    named: async (who: Identified, name: string): Promise<string> => {
      const _id = idOf(who);
      await model.updateOne({ _id }, { $setOnInsert: { ...who, name } }, { upsert: true });
      return _id;
    },

    /** Names by id; ids of keys have none. */
    names: async (ids: readonly (string | undefined)[]): Promise<ReadonlyMap<string, string>> => {
      const asked = [...new Set(ids)].filter((id): id is string => id !== undefined && isPersonId(id));
      if (asked.length === 0) return new Map();
      const found = await model.find({ _id: trusted({ $in: asked }) }, { name: 1 }).lean<PersonDocument[]>();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    /** Removes the name of a person: from now on nothing links the id to a name. */
    delete: async (personId: string): Promise<boolean> => (await model.deleteOne({ _id: personId })).deletedCount === 1,

    list: async (after: string | undefined, limit: number): Promise<Person[]> => {
      const more = after === undefined ? {} : { _id: trusted({ $gt: after }) };
      return (await model.find(more).sort({ _id: 1 }).limit(limit).lean<PersonDocument[]>()).map(toPerson);
    },
  };
};
