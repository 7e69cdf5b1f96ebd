import { render } from 'preact';
import { useState } from 'preact/hooks';

const KEY = 'assay.user-agent-key';

interface Session {
  key: string;
  id: string;
}
interface Shown {
  id: string;
  what: string;
  status: string;
}

const call = async (
  session: { key: string },
  path: string,
  init: RequestInit = {},
): Promise<Record<string, string>> => {
  const response = await fetch(`/svc/v1/identities${path}`, {
    ...init,
    headers: { apikey: session.key, ...init.headers },
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.errors?.[0]?.message ?? `The service answered ${response.status}`);
  return body;
};

const consented = (session: Session, types: string[]) =>
  call(session, `/${session.id}/consents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(types.map((type) => ({ type, approved: true }))),
  });

interface StepProps {
  session: Session;
  onSubmitted: (shown: Shown) => void;
}

const useSubmission = ({ session, onSubmitted }: StepProps, what: string, path: string) => {
  const [message, setMessage] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    for (const [name, value] of [...form]) if (value instanceof File && value.size === 0) form.delete(name);
    setMessage('Sending');
    try {
      const { id, status } = await call(session, `/${session.id}${path}`, { method: 'POST', body: form });
      setMessage('');
      onSubmitted({ id: id!, status: status!, what });
    } catch (error) {
      setMessage((error as Error).message);
    }
  };
  return { message, submit };
};

const DocumentStep = (props: StepProps) => {
  const { message, submit } = useSubmission(props, 'Document', '/id-documents/capture');
  return (
    <form onSubmit={submit}>
      <h2>Your document</h2>
      <label>
        Front <input type="file" name="DocumentFront" accept="image/*" capture="environment" required />
      </label>
      <label>
        Back, if it has one <input type="file" name="DocumentBack" accept="image/*" capture="environment" />
      </label>
      <button type="submit">Send</button>
      <p role="alert">{message}</p>
    </form>
  );
};

const PortraitStep = (props: StepProps) => {
  const { message, submit } = useSubmission(props, 'Selfie', '/attributes/portrait/capture');
  return (
    <form onSubmit={submit}>
      <h2>Your selfie</h2>
      <label>
        Portrait <input type="file" name="Portrait" accept="image/*" capture="user" required />
      </label>
      <button type="submit">Send</button>
      <p role="alert">{message}</p>
    </form>
  );
};

const Start = ({ onStarted }: { onStarted: (session: Session) => void }) => {
  const [message, setMessage] = useState('');
  const start = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const key = String(form.get('key')).trim();
    try {
      const id = String(form.get('id')).trim() || (await call({ key }, '', { method: 'POST' })).id!;
      sessionStorage.setItem(KEY, key);
      await consented({ key, id }, ['PORTRAIT', 'GIV']);
      onStarted({ key, id });
    } catch (error) {
      setMessage((error as Error).message);
    }
  };
  return (
    <form onSubmit={start}>
      <label>
        User agent key
        <input name="key" type="password" required value={sessionStorage.getItem(KEY) ?? ''} autoComplete="off" />
      </label>
      <label>
        Identity id, or empty for a new identity <input name="id" autoComplete="off" />
      </label>
      <label>
        <input type="checkbox" required /> I consent to biometric processing of my selfie and to checking my document
        with its issuer.
      </label>
      <button type="submit" class="accept">
        Start
      </button>
      <p role="alert">{message}</p>
    </form>
  );
};

const App = () => {
  const [session, setSession] = useState<Session>();
  const [shown, setShown] = useState<Shown[]>([]);
  const follow =
    (of: Session) =>
    (submitted: Shown): void => {
      setShown((all) => [...all, submitted]);
      const poll = async (): Promise<void> => {
        const { status, type } = await call(of, `/${of.id}/status/${submitted.id}`);
        setShown((all) =>
          all.map((each) =>
            each.id === submitted.id ? { ...each, status: status!, what: `${submitted.what} (${type})` } : each,
          ),
        );
        if (status === 'PROCESSING') setTimeout(poll, 700);
      };
      void poll();
    };
  return (
    <main class="sign-in">
      <h1>Show who you are</h1>
      {session ? (
        <>
          <DocumentStep session={session} onSubmitted={follow(session)} />
          <PortraitStep session={session} onSubmitted={follow(session)} />
          <ul aria-live="polite">
            {shown.map(({ id, what, status }) => (
              <li key={id}>
                {what}: <strong>{status}</strong>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Start onStarted={setSession} />
      )}
    </main>
  );
};

render(<App />, document.getElementById('app')!);
