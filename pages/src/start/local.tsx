import { table } from '@assay/contracts/table';
import type { PagesConfig } from '../design/config.ts';
import { Copy } from '../design/controls.tsx';
import { ACTS, Note, Table } from '../design/display.tsx';
import { Place, type PlaceProps } from './place.tsx';

const ROLES = table<readonly [name: string, does: string]>({
  relyingService: ['Relying service', 'everything about its identities, and their proofs'],
  userAgent: ['User agent', 'submits evidence on behalf of a person'],
  operator: ['Operator', 'decides cases in the console'],
  admin: ['Administrator', 'tenants, keys, webhooks'],
});
const roleOf = (role: string): readonly [name: string, does: string] => ROLES[role] ?? [role, ''];

const RoleOf = ({ role }: { role: string }) => {
  const [name, does] = roleOf(role);
  return (
    <>
      <strong>{name}</strong> <small>{does}</small>
    </>
  );
};

const SIMULATED = table<(url: string) => PlaceProps>({
  dvs: (href) => ({
    href,
    title: 'Simulated DVS',
    what: 'What the Australian source was asked; switch it off or slow.',
  }),
  aamva: (href) => ({ href, title: 'Simulated AAMVA', what: 'The same for US motor vehicle administrations.' }),
  chip: (url) => ({ href: `${url}/passports`, title: 'Passport chips', what: 'Chips in software, to read by an app.' }),
});

type LocalProps = NonNullable<PagesConfig['local']> & { prefix: string };

/** What helps on a development machine: keys, addresses of what is simulated, documents to try. */
export const Local = ({ prefix, keys, tenantId, mailcatcher, simulators = {}, specimens }: LocalProps) => (
  <>
    <h2>This development stack</h2>
    {keys ? (
      <>
        <Table
          caption="API keys of this stack"
          columns={['Role', 'Key', ACTS]}
          rows={Object.entries(keys).map(([role, key]) => [
            <RoleOf key="role" role={role} />,
            <code key="key">{key}</code>,
            <Copy key="copy" text={key} what={`key, ${roleOf(role)[0]}`} />,
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
    <ul class="places">
      {mailcatcher && (
        <Place href={mailcatcher} title="Inbox" what="Mail and text messages that would have gone out; webhooks too." />
      )}
      {Object.entries(simulators).map(([name, url]) => (
        <Place key={name} {...(SIMULATED[name]?.(url) ?? { href: url, title: name, what: 'Simulated.' })} />
      ))}
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
