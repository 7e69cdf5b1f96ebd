import { createHmac } from 'node:crypto';
import { present } from '@assay/contracts';
import { type Database, isDuplicateKey, trusted } from '@assay/mongo';
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
  /** The tenants that the person signed in to; of former documents, absent. */
  signedInTo?: string[];
  /** What the administrators of each tenant call the person; of former documents, absent. */
  named?: { by: string; name: string }[];
}

const schema = new Schema(
  {
    _id: String,
    name: String,
    issuer: String,
    subject: String,
    signedInAt: Date,
    signedInTo: { type: [String], default: undefined },
    named: { type: [{ _id: false, by: String, name: String }], default: undefined },
  },
  { versionKey: false, id: false },
);

const toPerson = ({ _id, name, issuer, subject, signedInAt }: PersonDocument): Person => ({
  personId: _id,
  name,
  issuer,
  subject,
  ...present({ signedInAt }),
});

/** In place of a tenant, for whom belongs to none. */
const SUITE = 'suite';

/**
 * The name of a person in one tenant. What another tenant calls the person is that tenant's to
 * know, and so is whom the issuer knows of its people.
 */
const nameFor = ({ name, signedInAt, signedInTo, named }: PersonDocument, tenantId = SUITE): string | undefined => {
  const isFormer = signedInTo === undefined && (signedInAt !== undefined || named === undefined);
  const hasSignedIn = isFormer || signedInTo?.includes(tenantId);
  return hasSignedIn ? name : named?.find(({ by }) => by === tenantId)?.name;
};

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
    signedIn: async (who: Identified, name: string, tenantId = SUITE): Promise<string> => {
      const _id = idOf(who);
      const change = { $set: { ...who, name, signedInAt: now() }, $addToSet: { signedInTo: tenantId } };
      await model.updateOne({ _id }, change, { upsert: true });
      return _id;
    },

    /** A person whom an administrator names; the name that an issuer gave stays. */
    named: async (who: Identified, name: string, tenantId = SUITE): Promise<string> => {
      const _id = idOf(who);
      const unnamed = { _id, 'named.by': trusted({ $ne: tenantId }) };
      const change = { $setOnInsert: { ...who, name }, $push: { named: { by: tenantId, name } } };
      await model.updateOne(unnamed, change, { upsert: true }).catch((error: unknown) => {
        // This tenant has named the person before.
        if (!isDuplicateKey(error)) throw error;
      });
      return _id;
    },

    /** Names by id, as one tenant knows them; ids of keys have none. */
    names: async (ids: readonly (string | undefined)[], tenantId?: string): Promise<ReadonlyMap<string, string>> => {
      const asked = [...new Set(ids)].filter((id): id is string => id !== undefined && isPersonId(id));
      if (asked.length === 0) return new Map();
      const found = await model.find({ _id: trusted({ $in: asked }) }).lean<PersonDocument[]>();
      return new Map(
        found.flatMap((person): [string, string][] => {
          const name = nameFor(person, tenantId);
          return name === undefined ? [] : [[person._id, name]];
        }),
      );
    },

    /** Removes the name of a person: from now on nothing links the id to a name. */
    delete: async (personId: string): Promise<boolean> => (await model.deleteOne({ _id: personId })).deletedCount === 1,

    list: async (after: string | undefined, limit: number): Promise<Person[]> => {
      const more = after === undefined ? {} : { _id: trusted({ $gt: after }) };
      return (await model.find(more).sort({ _id: 1 }).limit(limit).lean<PersonDocument[]>()).map(toPerson);
    },
  };
};
