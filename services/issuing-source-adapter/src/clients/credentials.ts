import { violationsOf } from '@assay/contracts';
import { type Static, Type } from 'typebox';

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
  const [wrong] = violationsOf(CredentialsSchema, file);
  if (wrong) throw new Error(`configuration: CREDENTIALS_FILE: ${wrong.field || 'the whole'} ${wrong.message}`);
  const { tenants, default: everybodys } = file as Static<typeof CredentialsSchema>;
  return (source, tenantId) => tenants?.[tenantId]?.[source] ?? everybodys?.[source];
};
