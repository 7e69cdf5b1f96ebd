import './admin.css';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Frame } from '../design/frame.tsx';
import { SignIn } from '../design/sign-in.tsx';
import { useSignIn } from '../design/use-sign-in.ts';
import { addressOf, useAddress } from './address.ts';
import { endSession, forget, idleSeconds, own, resume, sharedBy, signIn } from './api.ts';
import { Audit } from './audit.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { drafts } from './draft.ts';
import { Keys } from './keys.tsx';
import { SIGNED_OUT } from './loaded.tsx';
import { Suite } from './suite.tsx';
import { Tenant, tabOf } from './tenant.tsx';
import { Tenants } from './tenants.tsx';
import { Trust } from './trust.tsx';

const TITLE = 'Assay administration';
const PLACES = [
  ['', 'Tenants'],
  ['trust', 'Trust store'],
  ['dead-letters', 'Dead letters'],
  ['audit', 'Audit log'],
  ['keys', 'Administrators'],
  ['suite', 'Suite'],
] as const;

/** A tenant's own administrator has that tenant alone. */
const OF_TENANT = [['', 'Tenant']] as const;

const View = ({ address: [place = '', id, tab, identityId] }: { address: string[] }) => {
  const ofOne = own()?.tenantId;
  if (ofOne && place !== 'tenants')
    return <Tenant key={ofOne} tenantId={ofOne} tab={undefined} identityId={undefined} />;
  if (place === 'tenants' && id) return <Tenant key={id} tenantId={id} tab={tab} identityId={identityId} />;
  switch (place) {
    case 'trust':
      return <Trust tab={id} />;
    case 'dead-letters':
      return <DeadLetters />;
    case 'suite':
      return <Suite tab={id} />;
    case 'audit':
      return (
        <>
          <h1>Audit log of the suite</h1>
          <p class="lead">Who did what that belongs to no tenant. Each tenant has an audit log of its own.</p>
          <Audit path="/audit" ofTenant={false} />
        </>
      );
    case 'keys':
      return (
        <>
          <h1>Administrators’ keys</h1>
          <p class="lead">Whoever holds one may do everything on these pages, for every tenant.</p>
          <Keys path="/keys" ofTenant={false} />
        </>
      );
    default:
      return <Tenants />;
  }
};

/** What a window or a bookmark is called: pages that are open side by side are told apart. */
const titleOf = ([place = '', id = '', tab]: string[]): string => {
  const shown = PLACES.find(([name]) => name === place)?.[1] ?? 'Tenants';
  return `${place === 'tenants' && id ? `${tabOf(tab)[1]}, tenant ${id.slice(0, 8)}` : shown} – ${TITLE}`;
};

/**
 * Whoever signed in, or followed a link that is gone from the page, goes on at its content, not at
 * its top.
 */
const useFocus = (address: string[], signedIn: boolean): void => {
  const before = useRef({ address, signedIn });
  useEffect(() => {
    const isNew = before.current.address !== address || (signedIn && !before.current.signedIn);
    before.current = { address, signedIn };
    const main = document.querySelector('main');
    if (!isNew || !main || document.activeElement !== document.body) return;
    main.tabIndex = -1;
    main.focus();
  }, [address, signedIn]);
};

const App = () => {
  const { signedIn, looking, message, signOut, onSignIn } = useSignIn({
    page: 'admin',
    isSignedIn: () => own() !== undefined,
    sharedBy,
    resume,
    endSession,
    forget,
    idleSeconds,
    forgetWork: drafts.forgetAll,
  });
  const address = useAddress();
  useFocus(address, signedIn);
  useEffect(() => {
    if (signedIn) drafts.forgetForeign();
  }, [signedIn]);
  useEffect(() => {
    document.title = signedIn ? titleOf(address) : TITLE;
  }, [signedIn, address]);
  useEffect(() => {
    const refused = (event: Event): void => signOut((event as CustomEvent<string>).detail);
    addEventListener(SIGNED_OUT, refused);
    return () => removeEventListener(SIGNED_OUT, refused);
  }, []);
  if (looking) return null;
  if (!signedIn)
    return (
      <SignIn
        page="admin"
        title={TITLE}
        lead="Tenants, their settings, keys and webhooks, identities, the trust store and the audit log."
        label="Administrator key"
        help="The key is forgotten when you sign out or close this tab. What you do here is in the audit log."
        message={message}
        signIn={signIn}
        onSignIn={onSignIn}
      />
    );
  const here = address[0] === 'tenants' ? '' : (address[0] ?? '');
  const nav = (
    <>
      <div class="links">
        {(own()?.tenantId ? OF_TENANT : PLACES).map(([place, words]) => (
          <a key={place} href={addressOf(...(place ? [place] : []))} aria-current={place === here ? 'page' : undefined}>
            {words}
          </a>
        ))}
      </div>
      <Button onClick={() => signOut('')}>Sign out</Button>
    </>
  );
  return (
    <Frame title={TITLE} nav={nav}>
      <View address={address} />
    </Frame>
  );
};

render(<App />, document.getElementById('app')!);
