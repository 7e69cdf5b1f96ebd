import './capture.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readableOn } from '../design/colour.ts';
import { loadConfig } from '../design/config.ts';
import { Select } from '../design/controls.tsx';
import { Card } from '../design/display.tsx';
import { Mark } from '../design/frame.tsx';
import { type Api, createApi, Refused } from './api.ts';
import { Ended, endOf } from './ended.tsx';
import { Guide } from './guide.tsx';
import { Screen } from './screen.tsx';
import { beginning, type Progress, type Session, storeProgress } from './session.ts';
import { directionOf, LANGUAGES, LanguageContext, languageOf, useText } from './text.ts';
import { TryOut } from './try-out.tsx';

const COLOUR = /^#[0-9a-f]{6}$/i;

/** The tenant's colour, with whatever can be read on it. */
const wear = (colour: string | undefined): void => {
  if (!colour || !COLOUR.test(colour)) return;
  const { style } = document.documentElement;
  style.setProperty('--brand', colour);
  style.setProperty('--on-brand', readableOn(colour));
};

const asked = (): string | null => new URLSearchParams(location.search).get('locale');

interface FrameProps {
  brand: Session['brand'];
  language: string;
  onLanguage: (language: string) => void;
  children: preact.ComponentChildren;
}

const Frame = ({ brand, language, onLanguage, children }: FrameProps) => {
  const t = useText();
  return (
    <>
      <header class="capture-header">
        <span class="brand">
          {brand?.logoUrl ? <img src={brand.logoUrl} alt="" /> : <Mark />}
          {brand?.name ?? 'Assay'}
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
}

/** Reads the configuration, then what the link opens; a try-out knows its session itself. */
const open = async (prefix: string, progress: Progress): Promise<Opened> => {
  const api = createApi(prefix, progress.credential);
  return { api, session: progress.tryOut ?? (await api.session()), progress };
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
      wear(found.session.brand?.colour);
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
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
  }, [language]);
  const content = (): preact.ComponentChildren => {
    if (ended) return <Ended end={endOf(ended)} />;
    if (opened) return <Guide {...opened} language={language} onEnded={setEnded} />;
    if (prefix && !begun) return <TryOut prefix={prefix} onStarted={(progress) => start(prefix, progress)} />;
    return <Loading />;
  };
  return (
    <LanguageContext.Provider value={language}>
      <Frame brand={opened?.session.brand} language={language} onLanguage={setChosen}>
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

render(<App />, document.getElementById('app')!);
