import { table } from '@assay/contracts/table';

/** As much of a JSON Schema as the service's OpenAPI document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  description?: string;
  format?: string;
}

const PLAIN = table<string>({
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
});

const either = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never';

const memberOf = (name: string, schema: JsonSchema, required: readonly string[]): string => {
  const note = schema.description ? `/** ${schema.description.replaceAll('*/', '')} */\n` : '';
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `${note}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
};

const objectOf = ({ properties, required = [], patternProperties, additionalProperties }: JsonSchema): string => {
  const [values] = Object.values(patternProperties ?? {});
  const more = values ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (!properties) return `Record<string, ${more ? typeOf(more) : 'unknown'}>`;
  return `{\n${Object.entries(properties)
    .map(([name, schema]) => memberOf(name, schema, required))
    .join('\n')}\n}`;
};

/** The TypeScript type of a schema. */
export const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return either(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return either(choices.map(typeOf));
  if (Array.isArray(schema.type)) return either(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {})}>`;
  if (schema.type === 'object' || schema.properties) return objectOf(schema);
  if (schema.format === 'binary') return 'Upload';
  return PLAIN[schema.type ?? ''] ?? 'unknown';
};
