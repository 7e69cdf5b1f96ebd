import { table } from '@assay/contracts/table';
import { Code, type Sample } from './code.tsx';
import type { Call, Content, Operation, Parameter, Reply } from './openapi.ts';
import { Fields } from './schema.tsx';

const LANGUAGE_OF = table<string>({ Shell: 'sh', TypeScript: 'js', Python: 'python' });

const samplesOf = (operation: Operation): Sample[] =>
  (operation['x-codeSamples'] ?? []).map(({ lang, label, source }) => ({
    language: LANGUAGE_OF[lang] ?? '',
    label: label ?? lang,
    text: source,
  }));

const exampleOf = (label: string, content: Content | undefined): Sample[] =>
  Object.values(content ?? {})
    .filter(({ example }) => example !== undefined)
    .slice(0, 1)
    .map(({ example }) => ({ language: 'json', label, text: JSON.stringify(example, undefined, 2) }));

const rolesOf = ({ description = '' }: Operation): string[] =>
  (/^Roles: ([A-Z_, ]+)\./.exec(description)?.[1] ?? '').split(', ').filter(Boolean);

const Parameters = ({ parameters }: { parameters: readonly Parameter[] }) => (
  <>
    <h4>Parameters</h4>
    <ul class="fields">
      {parameters.map(({ name, in: place, required, description }) => (
        <li key={name}>
          <p>
            <code class="name">{name}</code> <span class="kind">{place}</span>
            {required && <span class="required">required</span>}
          </p>
          {description && <p class="about">{description}</p>}
        </li>
      ))}
    </ul>
  </>
);

const Body = ({ title, content }: { title: string; content: Content }) => (
  <>
    {Object.entries(content)
      .filter(([, { schema }]) => Object.keys(schema).length > 0)
      .map(([type, { schema }]) => (
        <>
          <h4 key={type}>
            {title} <small>{type}</small>
          </h4>
          <Fields schema={schema} />
        </>
      ))}
  </>
);

const isGood = (status: string): boolean => status.startsWith('2');

/** What a call may refuse, shut until somebody wants it. */
const Refusals = ({ replies }: { replies: readonly (readonly [string, Reply])[] }) => (
  <details class="refusals">
    <summary>{replies.length} refusals</summary>
    <dl>
      {replies.map(([status, { description }]) => (
        <div key={status}>
          <dt>{status}</dt>
          <dd>
            {description.split('; ').map((each) => {
              const [, code = '', words = each] = /^(\d{4}) (.*)$/.exec(each) ?? [];
              return (
                <span key={each}>
                  {code && <a href={`/docs/errors/${code}`}>{code}</a>} {words}
                </span>
              );
            })}
          </dd>
        </div>
      ))}
    </dl>
  </details>
);

/** One call: what it is for, what it takes and answers, and how it looks in code. */
export const OperationView = ({ call }: { call: Call }) => {
  const { operationId, summary, method, path, parameters = [], requestBody, responses } = call;
  const replies = Object.entries(responses);
  const good = replies.filter(([status]) => isGood(status));
  const refused = replies.filter(([status]) => !isGood(status));
  return (
    <div class="operation" id={operationId}>
      <div class="operation-words">
        <h3>
          <a href={`#${operationId}`}>{summary}</a>
        </h3>
        <p class="address">
          <span class={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
        </p>
        {rolesOf(call).length > 0 && (
          <p class="about">
            For{' '}
            {rolesOf(call).map((role) => (
              <span key={role} class="role">
                {role.toLowerCase().replace('_', ' ')}
              </span>
            ))}
          </p>
        )}
        {parameters.length > 0 && <Parameters parameters={parameters} />}
        {requestBody && <Body title="Body" content={requestBody.content} />}
        {good.map(([status, { description, content }]) => (
          <div key={status}>
            <h4>
              Answer <small>{status}</small>
            </h4>
            <p class="about">{description}</p>
            {Object.values(content ?? {}).map(({ schema }, at) =>
              Object.keys(schema).length > 0 ? <Fields key={at} schema={schema} /> : null,
            )}
          </div>
        ))}
        {refused.length > 0 && <Refusals replies={refused} />}
      </div>
      <div class="operation-code">
        <Code samples={samplesOf(call)} />
        <Code samples={exampleOf('Body', requestBody?.content)} />
        {good.map(([status, { content }]) => (
          <Code key={status} samples={exampleOf(`Answer ${status}`, content)} />
        ))}
      </div>
    </div>
  );
};

/** A notification that the service sends: what it carries, and one as it came. */
export const WebhookView = ({ name, webhook }: { name: string; webhook: Omit<Operation, 'operationId'> }) => (
  <div class="operation" id={`webhook-${name}`}>
    <div class="operation-words">
      <h3>
        <a href={`#webhook-${name}`}>{webhook.summary}</a>
      </h3>
      <p class="address">
        <span class="method post">POST</span> <code>{name}</code>
      </p>
      <p class="about">{webhook.description}</p>
      {webhook.parameters && <Parameters parameters={webhook.parameters} />}
      {webhook.requestBody && <Body title="Body" content={webhook.requestBody.content} />}
    </div>
    <div class="operation-code">
      <Code samples={exampleOf('Body', webhook.requestBody?.content)} />
    </div>
  </div>
);
