import './capture.css';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { loadConfig } from '../design/config.ts';
import { Select } from '../design/controls.tsx';
import { Card, Message } from '../design/display.tsx';
import { Mark } from '../design/frame.tsx';
import { type Api, behind, createApi, Refused } from './api.ts';
import { brandColours } from './brand.ts';
import type {} from './early.ts';
import { isFramed, mayBeShown, post, postHeight } from './embed.ts';
import { type End, Ended, endOf, isTryOut, mayPass } from './ended.tsx';
import { Finish } from './ends.tsx';
import { Guide } from './guide.tsx';
import { HandOver } from './hand-over.tsx';
import { LANGUAGES } from './languages.ts';
import { Screen } from './screen.tsx';
import { beginning, forgetPerson, hasBegun, type Progress, type Session, storeProgress } from './session.ts';
import { takeOver } from './tabs.ts';
import { LanguageContext, useText } from './text.ts';
import { TryOut } from './try-out.tsx';
import { useLanguage } from './use-language.ts';

const HAS_DARK = CSS.supports('color', 'light-dark(#000, #fff)');
/** Puts the page into the tenant's colour. */
const wear = (colour: string | undefined): void => {
  for (const [name, value] of Object.entries(brandColours(colour, HAS_DARK) ?? {}))
    document.documentElement.style.setProperty(name, value);
};

interface FrameProps {
  page: Session['page'];
  language: string;
  /** A language that was chosen did not arrive. */
  failed: boolean;
  onLanguage: (language: string) => void;
  children: preact.ComponentChildren;
}

const Frame = ({ page, language, failed, onLanguage, children }: FrameProps) => {
  const t = useText();
  return (
    <>
      <header class="capture-header">
        <span class="brand">
          {page?.logoUrl ? <img src={page.logoUrl} alt="" /> : <Mark />}
          {page?.name ?? 'Assay'}
        </span>
      </header>
      <main class="narrow">
        <Card>{children}</Card>
      </main>
      <footer>
        <Select label={t('language')} value={language} options={LANGUAGES} onSelect={onLanguage} />
        <Message>{failed ? t('ended.offline') : ''}</Message>
      </footer>
    </>
  );
};

/** What was asked early, to be used once. */
const takeEarly = (): Window['assayEarly'] => {
  const { assayEarly } = window;
  window.assayEarly = undefined;
  return assayEarly;
};

/**
 * A link that is put into the address of an open page differs behind the `#` alone, and no browser
 * loads it by itself.
 */
const followNewLinks = (): (() => void) => {
  const follow = (): void => {
    if (location.hash.length > 1) location.reload();
  };
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
};

interface Opened {
  api: Api;
  session: Session;
  progress: Progress;
  /** Another device has the session; this one waits for it. */
  elsewhere?: true;
}

/**
 * Reads the configuration, then what the link opens; a try-out knows its session itself, and a
 * device that handed over waits for the other.
 */
const open = async (prefix: string, progress: Progress): Promise<Opened> => {
  const api = createApi(prefix, progress.credential);
  const { handedOver, tryOut } = progress;
  const { handover } = handedOver ? await api.handover() : { handover: 'NONE' };
  if (handedOver && (handover === 'TAKEN' || handover === 'DONE'))
    return { api, session: handedOver, progress, elsewhere: true };
  const session = tryOut ?? (await (takeEarly()?.session ?? api.session()));
  if (!mayBeShown(session)) throw new Refused(401);
  const { expireAt, identityId } = session;
  return { api, session, progress: { ...progress, expireAt, agreed: progress.agreed || hasBegun(identityId) } };
};

/** A device that was left for another: it waits, then ends as the other did. */
const Elsewhere = ({ api, session, progress, onEnded }: Opened & { onEnded: (error: Refused) => void }) => {
  const [done, setDone] = useState(false);
  const goOnHere = (): void => {
    storeProgress({ ...progress, handedOver: undefined });
    location.reload();
  };
  if (done) return <Finish session={session} finished="elsewhere" />;
  return <HandOver api={api} onHere={goOnHere} onDone={() => setDone(true)} onEnded={onEnded} />;
};

/**
 * Tells the page around this one; what nothing more can be done with is forgotten, before a screen
 * says that it is over.
 */
const useEnd = (end: End | undefined): void => {
  useLayoutEffect(() => {
    if (end && !mayPass(end)) forgetPerson();
  }, [end]);
  useEffect(() => {
    if (end) post({ type: 'assay.ended', reason: mayPass(end) ? 'offline' : end });
  }, [end]);
};

const App = () => {
  const [prefix, setPrefix] = useState<string>();
  const [opened, setOpened] = useState<Opened>();
  const [ended, setEnded] = useState<Refused>();
  /** Another tab goes on with this check. */
  const [left, setLeft] = useState(false);
  const [begun] = useState(beginning);
  const { language, failed, begin, choose } = useLanguage();
  const end = ended && endOf(ended, opened?.session ?? begun);
  const start = (at: string, progress: Progress): void =>
    void open(at, progress).then(async (found) => {
      await begin(found.session.locale);
      wear(found.session.page?.colour);
      post({ type: 'assay.ready' });
      storeProgress(found.progress);
      setOpened(found);
      takeOver(found.session.identityId, () => setLeft(true));
    }, setEnded);
  /** Without a reload: a browser that is offline would show its own page instead of this one. */
  const again = (): void => {
    const progress = beginning();
    setEnded(undefined);
    setOpened(undefined);
    if (prefix && progress) start(prefix, progress);
    else location.reload();
  };
  useEffect(() => {
    void begin();
    (window.assayEarly?.config ?? loadConfig()).then(
      ({ prefix: found }) => {
        setPrefix(found);
        if (begun) start(found, begun);
      },
      () => setEnded(new Refused(0)),
    );
  }, []);
  useEnd(end);
  useEffect(followNewLinks, []);
  const content = (): preact.ComponentChildren => {
    if (end) return <Ended end={end} onAgain={again} />;
    if (left) return <Ended end="tab" onAgain={again} />;
    if (opened?.elsewhere) return <Elsewhere {...opened} onEnded={setEnded} />;
    if (opened) {
      const { api, session } = opened;
      const onEnded = (error: Refused): void => void behind(api, session.identityId, error).then(setEnded);
      return <Guide {...opened} language={language ?? 'en'} onEnded={onEnded} />;
    }
    if (!begun && !isTryOut()) return <Ended end="noLink" onAgain={again} />;
    if (prefix && !begun) return <TryOut prefix={prefix} onStarted={(progress) => start(prefix, progress)} />;
    return <Loading />;
  };
  if (!language) return <div class="spinner" />;
  return (
    <LanguageContext.Provider value={language}>
      <Frame page={opened?.session.page} language={language} failed={failed} onLanguage={choose}>
        {content()}
      </Frame>
    </LanguageContext.Provider>
  );
};

const Loading = () => {
  const t = useText();
  useEffect(() => {
    document.title = t('title');
  }, [t('title')]);
  return (
    <Screen title={t('loading')}>
      <div class="spinner" />
    </Screen>
  );
};

const home = document.getElementById('app')!;
if (isFramed()) postHeight(home);
render(<App />, home);
