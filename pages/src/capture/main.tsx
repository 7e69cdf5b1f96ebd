import './capture.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadConfig } from '../design/config.ts';
import { Select } from '../design/controls.tsx';
import { Card } from '../design/display.tsx';
import { Mark } from '../design/frame.tsx';
import { type Api, createApi, Refused } from './api.ts';
import { brandColours } from './brand.ts';
import { isFramed, mayBeShown, tell, tellHeight } from './embed.ts';
import { Ended, endOf } from './ended.tsx';
import { Finish, Guide } from './guide.tsx';
import { HandOver } from './hand-over.tsx';
import { Screen } from './screen.tsx';
import { beginning, type Progress, type Session, storeProgress } from './session.ts';
import { directionOf, LANGUAGES, LanguageContext, languageOf, useText } from './text.ts';
import { TryOut } from './try-out.tsx';

/** Puts the page into the tenant's colour. */
const wear = (colour: string | undefined): void => {
  for (const [name, value] of Object.entries(brandColours(colour) ?? {}))
    document.documentElement.style.setProperty(name, value);
};

const asked = (): string | null => new URLSearchParams(location.search).get('locale');

interface FrameProps {
  page: Session['page'];
  language: string;
  onLanguage: (language: string) => void;
  children: preact.ComponentChildren;
}

const Frame = ({ page, language, onLanguage, children }: FrameProps) => {
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
      </footer>
    </>
  );
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
  const session = tryOut ?? (await api.session());
  if (!mayBeShown(session)) throw new Refused(401);
  return { api, session, progress };
};

/** A device that was left for another: it waits, then ends as the other did. */
const Elsewhere = ({ api, session, onEnded }: Opened & { onEnded: (error: Refused) => void }) => {
  const [done, setDone] = useState(false);
  if (done) return <Finish session={session} />;
  return <HandOver api={api} onHere={() => location.reload()} onDone={() => setDone(true)} onEnded={onEnded} />;
};

const App = () => {
  const [prefix, setPrefix] = useState<string>();
  const [opened, setOpened] = useState<Opened>();
  const [ended, setEnded] = useState<Refused>();
  const [begun] = useState(beginning);
  const [chosen, setChosen] = useState<string>();
  const language = chosen ?? languageOf([asked(), opened?.session.locale, ...navigator.languages]);
  const start = (at: string, progress: Progress): void =>
    void open(at, progress).then((found) => {
      wear(found.session.page?.colour);
      tell({ type: 'assay.ready' });
      storeProgress(progress);
      setOpened(found);
    }, setEnded);
  useEffect(() => {
    loadConfig().then(
      ({ prefix: found }) => {
        setPrefix(found);
        if (begun) start(found, begun);
      },
      () => setEnded(new Refused(0)),
    );
  }, []);
  useEffect(() => {
    if (ended) tell({ type: 'assay.ended', reason: endOf(ended) });
  }, [ended]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
  }, [language]);
  const content = (): preact.ComponentChildren => {
    if (ended) return <Ended end={endOf(ended)} />;
    if (opened?.elsewhere) return <Elsewhere {...opened} onEnded={setEnded} />;
    if (opened) return <Guide {...opened} language={language} onEnded={setEnded} />;
    if (prefix && !begun) return <TryOut prefix={prefix} onStarted={(progress) => start(prefix, progress)} />;
    return <Loading />;
  };
  return (
    <LanguageContext.Provider value={language}>
      <Frame page={opened?.session.page} language={language} onLanguage={setChosen}>
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
if (isFramed()) tellHeight(home);
render(<App />, home);
