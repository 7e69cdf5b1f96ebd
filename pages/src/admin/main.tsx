import './admin.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Frame } from '../design/frame.tsx';
import { SignIn } from '../design/sign-in.tsx';
import { addressOf, useAddress } from './address.ts';
import { forgetKey, isSignedIn, signIn } from './api.ts';
import { Audit } from './audit.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { Keys } from './keys.tsx';
import { SIGNED_OUT } from './loaded.tsx';
import { Tenant } from './tenant.tsx';
import { Tenants } from './tenants.tsx';
import { Trust } from './trust.tsx';

const TITLE = 'Assay administration';
const PLACES = [
  ['', 'Tenants'],
  ['trust', 'Trust store'],
  ['dead-letters', 'Dead letters'],
  ['audit', 'Audit log'],
  ['keys', 'Administrators'],
] as const;

const View = ({ address: [place = '', id, tab, identityId] }: { address: string[] }) => {
  if (place === 'tenants' && id) return <Tenant key={id} tenantId={id} tab={tab} identityId={identityId} />;
  switch (place) {
    case 'trust':
      return <Trust />;
    case 'dead-letters':
      return <DeadLetters />;
    case 'audit':
      return (
        <>
          <h1>Audit log of the suite</h1>
          <p>What belongs to no tenant. Each tenant has a chain of its own.</p>
          <Audit path="/audit" />
        </>
      );
    case 'keys':
      return (
        <>
          <h1>Administrators’ keys</h1>
          <Keys path="/keys" ofTenant={false} />
        </>
      );
    default:
      return <Tenants />;
  }
};

const App = () => {
  const [signedIn, setSignedIn] = useState(isSignedIn);
  const [message, setMessage] = useState('');
  const address = useAddress();
  const signOut = (reason: string): void => {
    forgetKey();
    setMessage(reason);
    setSignedIn(false);
  };
  useEffect(() => {
    const refused = (event: Event): void => signOut((event as CustomEvent<string>).detail);
    addEventListener(SIGNED_OUT, refused);
    return () => removeEventListener(SIGNED_OUT, refused);
  }, []);
  if (!signedIn)
    return (
      <SignIn
        title={TITLE}
        lead="Tenants, their settings, keys and webhooks, identities, the trust store and the audit log."
        label="Administrator key"
        help="The key is forgotten when you sign out or close this tab. What you do here is in the audit log."
        message={message}
        signIn={signIn}
        onSignIn={() => setSignedIn(true)}
      />
    );
  const here = address[0] === 'tenants' ? '' : (address[0] ?? '');
  const nav = (
    <div class="links">
      {PLACES.map(([place, words]) => (
        <a key={place} href={addressOf(...(place ? [place] : []))} aria-current={place === here ? 'page' : undefined}>
          {words}
        </a>
      ))}
      <Button onClick={() => signOut('')}>Sign out</Button>
    </div>
  );
  return (
    <Frame title={TITLE} nav={nav}>
      <View address={address} />
    </Frame>
  );
};

render(<App />, document.getElementById('app')!);
