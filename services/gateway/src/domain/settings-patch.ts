import { type TSchema, Type } from 'typebox';

interface Described {
  anyOf?: TSchema[];
  properties?: Record<string, TSchema>;
  required?: unknown;
  title?: string;
  description?: string;
  default?: unknown;
}

const orNull = (schema: TSchema): TSchema => {
  const { title, description, default: preset, ...shape } = patchSchemaOf(schema) as Described;
  const stated = { title, description, default: preset };
  const given = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
  // The description of the field names the expected form.
  const alone = 'pattern' in shape && description ? { ...shape, description } : shape;
  const either = shape.anyOf ?? [alone as TSchema];
  const isNullable = either.some((each) => (each as { type?: string }).type === 'null');
  return Type.Unsafe({ anyOf: isNullable ? either : [...either, Type.Null()], ...given });
};

/**
 * The schema of a change of settings: each member may be absent, or null to remove it (RFC 7396).
 */
export const patchSchemaOf = (schema: TSchema): TSchema => {
  const { anyOf, properties, required: _, ...rest } = schema as Described;
  if (anyOf) return Type.Unsafe({ ...rest, anyOf: anyOf.map(patchSchemaOf) });
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, inner]): [string, TSchema] => [name, orNull(inner)]);
  return Type.Unsafe({ ...rest, properties: Object.fromEntries(members) });
};
