/** Of the OpenAPI document what the reference shows. */
export interface Schema {
  $ref?: string;
  type?: string;
  title?: string;
  description?: string;
  enum?: readonly (string | number | null)[];
  const?: string | number | boolean | null;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

export type Content = Record<string, { schema: Schema; example?: unknown }>;

export interface Reply {
  description: string;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security?: readonly Record<string, unknown>[];
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Reply>;
  'x-codeSamples'?: readonly { lang: string; label?: string; source: string }[];
}

export interface Api {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Omit<Operation, 'operationId'>>>;
  components: { schemas: Record<string, Schema> };
}

/** One call: where it is, and what it does. */
export interface Call extends Operation {
  method: string;
  path: string;
}

const OPEN = 'Public';

/**
 * The calls of the API by their group, in the order of the document; what needs no key comes last.
 */
export const groupsOf = ({ paths }: Api): Map<string, Call[]> => {
  const groups = new Map<string, Call[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = 'Other'] = operation.tags;
      groups.set(tag, [...(groups.get(tag) ?? []), { ...operation, method, path }]);
    }
  const open = groups.get(OPEN);
  groups.delete(OPEN);
  return open ? groups.set(OPEN, open) : groups;
};

/** The name of a shape that has one. */
export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.replace('#/components/schemas/', '');

/** What a value has to be beyond its type, in words. */
export const limitsOf = ({ format, minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string[] => {
  const range = (least: number | undefined, most: number | undefined, unit: string): string[] => {
    if (least === undefined && most === undefined) return [];
    if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
    return [least === undefined ? `up to ${most}${unit}` : `from ${least}${unit}`];
  };
  return [
    ...(format ? [format] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
  ];
};
