import { type JsonSchema, typeOf } from './types.ts';

type Content = Record<string, { schema: JsonSchema }>;
interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/**
 * How a call is made: its method, its path with `{prefix}` for the first segment, and what its body
 * is.
 */
export type OperationRoute = [method: string, path: string, body: 'none' | 'json' | 'form', reply: 'json' | 'bytes'];

const JSON_TYPE = /json/;

const listed = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

const replyOf = ({ responses }: Operation): [string, JsonSchema] | undefined => {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [found] = Object.entries(good?.content ?? {});
  return found && [found[0], found[1].schema];
};

const bodyOf = ({ requestBody }: Operation): { kind: 'none' | 'json' | 'form'; type?: string; required?: boolean } => {
  const content = requestBody?.content ?? {};
  const form = content['multipart/form-data'];
  const json = content['application/json'];
  const required = requestBody?.required ?? false;
  if (form) return { kind: 'form', type: typeOf(form.schema), required };
  return json ? { kind: 'json', type: typeOf(json.schema), required } : { kind: 'none' };
};

const membersOf = (parameters: NonNullable<Operation['parameters']>): string => {
  const members = parameters.map(({ name, required, description }) => {
    const note = description ? `/** ${description} */ ` : '';
    return `${note}${name}${required ? '' : '?'}: string;`;
  });
  return members.length > 0 ? `{ ${members.join(' ')} }` : 'Record<string, never>';
};

const parametersOf = ({ parameters = [] }: Operation, where: string): string =>
  membersOf(parameters.filter((one) => one.in === where));

const entryOf = ({ operation }: ReturnType<typeof listed>[number]): string => {
  const body = bodyOf(operation);
  const reply = replyOf(operation);
  const replied = reply && (JSON_TYPE.test(reply[0]) ? typeOf(reply[1]) : 'Uint8Array');
  return `/** ${operation.summary ?? operation.operationId} */
${operation.operationId}: {
  path: ${parametersOf(operation, 'path')};
  query: ${parametersOf(operation, 'query')};
  body${body.required ? '' : '?'}: ${body.type ?? 'undefined'};
  reply: ${replied ?? 'undefined'};
};`;
};

/** The types of every call: the text of operations.d.ts. */
export const operationTypes = (
  document: OpenApiDocument,
): string => `// Made of the OpenAPI document: npm run client:types.
/** A file to send. */
export type Upload = Blob | Uint8Array;
${Object.entries(document.components.schemas)
  .map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`)
  .join('\n')}

/** Every call of the API by its operationId. */
export interface Operations {
${listed(document).map(entryOf).join('\n')}
}
`;

/** How every call is made: the contents of operations.json. */
export const operationRoutes = (document: OpenApiDocument): Record<string, OperationRoute> =>
  Object.fromEntries(
    listed(document).map(({ path, method, operation }) => {
      const reply = replyOf(operation);
      const kind = reply && !JSON_TYPE.test(reply[0]) ? 'bytes' : 'json';
      const at = path.startsWith('/svc/') ? path.replace('/svc', '/{prefix}') : path;
      return [operation.operationId, [method.toUpperCase(), at, bodyOf(operation).kind, kind]];
    }),
  );
