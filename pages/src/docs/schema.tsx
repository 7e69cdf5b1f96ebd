import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { limitsOf, nameOf, type Schema } from './openapi.ts';

/** The shapes that have a name. */
export const Schemas = createContext<Readonly<Record<string, Schema>>>({});

const kindOf = (schema: Schema): string => {
  const name = nameOf(schema);
  if (name) return name;
  if (schema.items) return `${kindOf(schema.items)}[]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return 'one of';
  if (schema.anyOf) return 'any of';
  return schema.type ?? (schema.properties ? 'object' : 'any');
};

/** The shape whose fields are worth showing: behind a name, and that of the items of a list. */
const innerOf = (schema: Schema, named: Readonly<Record<string, Schema>>): Schema | undefined => {
  const name = nameOf(schema);
  const found = name ? named[name] : schema;
  if (found?.items) return innerOf(found.items, named);
  return found?.properties || found?.patternProperties || found?.anyOf || found?.allOf ? found : undefined;
};

const MOST_VALUES = 14;

const Values = ({ schema }: { schema: Schema }) => {
  const values = (schema.items ?? schema).enum ?? [];
  if (values.length === 0) return null;
  const list = values.map((value, at) => (
    <>
      {at > 0 && ' '}
      <code key={String(value)}>{String(value)}</code>
    </>
  ));
  if (values.length <= MOST_VALUES) return <p class="values">{list}</p>;
  return (
    <details class="values">
      <summary>{values.length} values</summary>
      <p>{list}</p>
    </details>
  );
};

interface FieldProps {
  name: string;
  schema: Schema;
  required: boolean;
}

const Field = ({ name, schema, required }: FieldProps) => {
  const named = useContext(Schemas);
  const [open, setOpen] = useState(false);
  const inner = innerOf(schema, named);
  const limits = limitsOf(schema);
  return (
    <li>
      <p>
        <code class="name">{name}</code> <span class="kind">{kindOf(schema)}</span>
        {required && <span class="required">required</span>}
      </p>
      {(schema.description ?? schema.title) && <p class="about">{schema.description ?? schema.title}</p>}
      {(limits.length > 0 || schema.default !== undefined) && (
        <p class="about">
          {limits.join(', ')}
          {schema.default !== undefined && schema.default !== null && ` default ${JSON.stringify(schema.default)}`}
        </p>
      )}
      <Values schema={schema} />
      {inner && (
        <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{open ? 'Hide fields' : 'Show fields'}</summary>
          {open && <Fields schema={schema} />}
        </details>
      )}
    </li>
  );
};

/** The fields of a shape; those of inner shapes open on demand. */
export const Fields = ({ schema }: { schema: Schema }) => {
  const inner = innerOf(schema, useContext(Schemas));
  if (!inner) return <p class="about">{kindOf(schema)}</p>;
  const { properties = {}, patternProperties = {}, required = [], anyOf = [], allOf = [] } = inner;
  return (
    <>
      {(Object.keys(properties).length > 0 || Object.keys(patternProperties).length > 0) && (
        <ul class="fields">
          {Object.entries(properties).map(([name, field]) => (
            <Field key={name} name={name} schema={field} required={required.includes(name)} />
          ))}
          {Object.entries(patternProperties).map(([pattern, field]) => (
            <Field key={pattern} name="any name" schema={field} required={false} />
          ))}
        </ul>
      )}
      {[...anyOf, ...allOf].map((one, at) => (
        <div key={at} class="one-of">
          <p class="about">
            {anyOf.length > 0 ? (at === 0 ? 'Either ' : 'or ') : 'and '}
            {kindOf(one)}
          </p>
          <Fields schema={one} />
        </div>
      ))}
    </>
  );
};
