import { matches } from '@assay/contracts';
import { Type } from 'typebox';

const Of = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()));

/**
 * Credentials by source name: for every tenant, and for single tenants. What they hold is the
 * connector's business.
 */
const CredentialsSchema = Type.Object({
  default: Type.Optional(Of),
  tenants: Type.Optional(Type.Record(Type.String(), Of)),
});

export type Credentials = Readonly<Record<string, string>>;

/**
 * The credentials a tenant asks a source with: its own, else everybody's; undefined when it has
 * none and cannot ask.
 */
export type CredentialsOf = (source: string, tenantId: string) => Credentials | undefined;

export const createCredentials = (file: unknown): CredentialsOf => {
  if (!matches(CredentialsSchema, file)) throw new Error('the credentials file is not of its shape');
  return (source, tenantId) => file.tenants?.[tenantId]?.[source] ?? file.default?.[source];
};
