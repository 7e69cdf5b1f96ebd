import './start.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadConfig, type PagesConfig } from '../design/config.ts';
import { Badge, Message, Note } from '../design/display.tsx';
import { Frame } from '../design/frame.tsx';
import { Local } from './local.tsx';
import { Place } from './place.tsx';

const PLACES: readonly [page: string, title: string, what: string][] = [
  ['console', 'Console', 'Operators look at cases that need a person, compare and decide.'],
  ['admin', 'Administration', 'Tenants, keys, webhooks, policies and the audit log.'],
  ['capture', 'Capture', 'The guided page where people photograph a document and themselves.'],
];
const REFERENCES: readonly [href: string, title: string, what: string][] = [
  ['/docs', 'Documentation', 'A guide from nothing to a proven identity, and every call of the API.'],
  ['/openapi.json', 'OpenAPI document', 'Every call, for programs.'],
  ['/.well-known/jwks.json', 'Signing keys', 'The keys that verify proofs, as a JWKS.'],
  ['/schemas', 'Proof schemas', 'JSON Schemas of the files in a proof.'],
];

/** Whether the service answers. */
const Health = ({ prefix }: { prefix: string }) => {
  const [up, setUp] = useState<boolean>();
  useEffect(() => {
    fetch(`/${prefix}/healthcheck`).then(
      ({ ok }) => setUp(ok),
      () => setUp(false),
    );
  }, [prefix]);
  const [tone, words] = { true: ['good', 'answers'] as const, false: ['bad', 'does not answer'] as const }[
    String(up)
  ] ?? [undefined, 'is asked'];
  return (
    <p>
      <a href={`/${prefix}/healthcheck`}>The service</a> <Badge tone={tone}>{words}</Badge>
    </p>
  );
};

const App = () => {
  const [config, setConfig] = useState<PagesConfig>();
  const [message, setMessage] = useState('');
  useEffect(() => {
    loadConfig().then(setConfig, (error: Error) => setMessage(error.message));
  }, []);
  return (
    <Frame title="Assay" width="reading" nav={config && <small>version {config.version}</small>}>
      <h1>Identity proofing you can run yourself</h1>
      <p>
        A client creates an identity, records consents and submits evidence: images of a document, its text, a selfie.
        The service checks each piece, reports a level of assurance, and hands over a signed proof that anyone can
        verify offline.
      </p>
      <Message>{message}</Message>
      {config && (
        <>
          <Health prefix={config.prefix} />
          <h2>For people</h2>
          <ul class="places">
            {PLACES.filter(([page]) => config.pages.includes(page)).map(([page, title, what]) => (
              <Place key={page} href={`/${page}`} title={title} what={what} />
            ))}
          </ul>
          <h2>For programs</h2>
          <ul class="places">
            {REFERENCES.map(([href, title, what]) => (
              <Place key={href} href={href} title={title} what={what} />
            ))}
          </ul>
          {config.local ? (
            <Local {...config.local} prefix={config.prefix} />
          ) : (
            <Note>Calls need an API key in the header apikey. An administrator makes keys.</Note>
          )}
        </>
      )}
    </Frame>
  );
};

render(<App />, document.getElementById('app')!);
