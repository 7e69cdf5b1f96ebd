import { useState } from 'preact/hooks';
import type { PagesConfig } from '../design/config.ts';
import { Button } from '../design/controls.tsx';
import { Note, Table } from '../design/display.tsx';

const ROLES: Record<string, string> = {
  relyingService: 'Relying service: everything about its identities, and their proofs',
  userAgent: 'User agent: submits evidence on behalf of a person',
  operator: 'Operator: decides cases in the console',
  admin: 'Administrator: tenants, keys, webhooks',
};

const Copy = ({ text, what }: { text: string; what: string }) => {
  const [copied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <Button onClick={copy} aria-label={`Copy the key: ${what}`}>
      {copied ? 'Copied' : 'Copy'}
    </Button>
  );
};

const Address = ({ name, url }: { name: string; url: string }) => (
  <li>
    {name} <a href={url}>{url}</a>
  </li>
);

type LocalProps = NonNullable<PagesConfig['local']> & { prefix: string };

/** What helps on a development machine: keys, addresses of what is simulated, documents to try. */
export const Local = ({ prefix, keys, tenantId, mailcatcher, simulators = {}, specimens }: LocalProps) => (
  <>
    <h2>This development stack</h2>
    {keys ? (
      <>
        <Table
          caption="API keys of this stack"
          columns={['Role', 'Key', '']}
          rows={Object.entries(keys).map(([role, key]) => [
            ROLES[role] ?? role,
            <code key="key">{key}</code>,
            <Copy key="copy" text={key} what={role} />,
          ])}
        />
        <p class="help">
          These keys are shown on this machine only. Tenant <code>{tenantId}</code>.
        </p>
        <pre class="command">
          {`curl -X POST ${location.origin}/${prefix}/v1/identities -H 'apikey: ${keys.relyingService}'`}
        </pre>
      </>
    ) : (
      <Note>Open this page as localhost on the machine itself to see the keys of this stack.</Note>
    )}
    <ul>
      {mailcatcher && <Address name="Mail and text messages that were sent:" url={`${mailcatcher}/messages`} />}
      {Object.entries(simulators).map(([name, url]) =>
        name === 'chip' ? (
          <Address key={name} name="Passport chips in software:" url={`${url}/passports`} />
        ) : (
          <Address key={name} name={`Questions to the simulated source ${name}:`} url={`${url}/requests`} />
        ),
      )}
    </ul>
    {specimens.length > 0 && (
      <>
        <h2>Specimens to try</h2>
        <p class="help">Made-up documents and faces. Save one, or hold the screen before the camera of a phone.</p>
        <ul class="specimens">
          {specimens.map((file) => (
            <li key={file}>
              <a href={`/specimens/${file}`} download={file}>
                <img src={`/specimens/${file}`} alt="" loading="lazy" />
                {file.replace(/\.jpg$/, '').replaceAll('-', ' ')}
              </a>
            </li>
          ))}
        </ul>
      </>
    )}
  </>
);
