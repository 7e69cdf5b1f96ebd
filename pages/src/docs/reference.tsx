import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Note } from '../design/display.tsx';
import { type Api, groupsOf } from './openapi.ts';
import { OperationView, WebhookView } from './operation.tsx';
import { Fields, Schemas } from './schema.tsx';

/* The reference: the OpenAPI document of the suite that serves this page, to be read. */

const anchorOf = (group: string): string => `group-${group.toLowerCase().replaceAll(' ', '-')}`;

const Contents = ({ api }: { api: Api }) => (
  <>
    <p>Calls</p>
    {[...groupsOf(api)].map(([group, calls]) => (
      <details key={group}>
        <summary>{group}</summary>
        <ul>
          {calls.map(({ operationId, method, summary }) => (
            <li key={operationId}>
              <a href={`#${operationId}`}>
                <span class={`method ${method}`}>{method === 'delete' ? 'DEL' : method.toUpperCase()}</span> {summary}
              </a>
            </li>
          ))}
        </ul>
      </details>
    ))}
    <p id="chapters-beside">Beside them</p>
    <ul aria-labelledby="chapters-beside">
      <li>
        <a href="#group-webhooks">Webhooks</a>
      </li>
      <li>
        <a href="#group-shapes">Shapes</a>
      </li>
    </ul>
  </>
);

const Shapes = ({ schemas }: { schemas: Api['components']['schemas'] }) => (
  <>
    <h2 id="group-shapes">Shapes</h2>
    {Object.entries(schemas).map(([name, schema]) => (
      <details key={name} class="shape" id={`shape-${name}`}>
        <summary>{name}</summary>
        <Fields schema={schema} />
      </details>
    ))}
  </>
);

/** Brings what the address names into view, once it is there; a shape is opened. */
const follow = (): void => {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
};

const Reference = ({ api }: { api: Api }) => {
  useEffect(() => {
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return (
    <Schemas.Provider value={api.components.schemas}>
      <h1>API reference</h1>
      <p>
        Version {api.info.version} of this suite, made of the very routes that it serves. Every call carries a key in
        the header <code>apikey</code>, or the token of a user-agent session; a POST may carry an{' '}
        <code>Idempotency-Key</code>. For programs: <a href="/openapi.json">openapi.json</a>.
      </p>
      {[...groupsOf(api)].map(([group, calls]) => (
        <div key={group} class="group">
          <h2 id={anchorOf(group)}>{group}</h2>
          {calls.map((call) => (
            <OperationView key={call.operationId} call={call} />
          ))}
        </div>
      ))}
      <h2 id="group-webhooks">Webhooks</h2>
      {Object.entries(api.webhooks).flatMap(([name, methods]) =>
        Object.values(methods).map((webhook) => <WebhookView key={name} name={name} webhook={webhook} />),
      )}
      <Shapes schemas={api.components.schemas} />
    </Schemas.Provider>
  );
};

const App = () => {
  const [api, setApi] = useState<Api>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    fetch('/openapi.json')
      .then((response) => response.json() as Promise<Api>)
      .then((found) => {
        render(<Contents api={found} />, document.getElementById('more-chapters')!);
        setApi(found);
      })
      .catch(() => setFailed(true));
  }, []);
  if (failed) return <Note tone="bad">The description of the API could not be loaded. Load this page again.</Note>;
  return api ? <Reference api={api} /> : <p role="status">One moment …</p>;
};

document.body.classList.add('wide');
const place = document.getElementById('reference')!;
place.replaceChildren();
render(<App />, place);
