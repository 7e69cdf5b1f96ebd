import { useState } from 'preact/hooks';
import type { Api, Refused } from './api.ts';
import { PhotoStep } from './photo-step.tsx';
import { Screen } from './screen.tsx';
import type { LiveCapture } from './session.ts';
import type { Shot } from './submission.ts';
import { type Translate, useText } from './text.ts';

const TYPES = ['PASSPORT', 'IDENTITY_CARD', 'DRIVING_LICENSE', 'RESIDENT_CARD'] as const;

const shotsOf = (type: string, t: Translate): Shot[] =>
  type === 'PASSPORT'
    ? [{ name: 'DocumentFront', title: t('document.page') }]
    : [
        { name: 'DocumentFront', title: t('document.front') },
        { name: 'DocumentBack', title: t('document.back') },
      ];

export interface StepProps {
  api: Api;
  identityId: string;
  sentBefore: string | undefined;
  onLive: (live: LiveCapture) => void;
  onSent: (evidenceId: string | undefined) => void;
  onDone: () => void;
  onEnded: (error: Refused) => void;
}

/** Which document, then its sides. */
export const DocumentStep = (props: StepProps) => {
  const t = useText();
  const [type, setType] = useState<string>();
  if (!type && !props.sentBefore)
    return (
      <Screen title={t('document.choose')} art="document">
        <ul class="choices">
          {TYPES.map((each) => (
            <li key={each}>
              <button type="button" class="wide" onClick={() => setType(each)}>
                {t(`document.${each}`)}
              </button>
            </li>
          ))}
        </ul>
      </Screen>
    );
  const known = type ?? 'PASSPORT';
  const again = (evidenceId: string | undefined): void => {
    if (!evidenceId) setType(undefined);
    props.onSent(evidenceId);
  };
  return (
    <PhotoStep
      {...props}
      onSent={again}
      step="DOCUMENT"
      subject="document"
      lead={t('document.lead')}
      shots={shotsOf(known, t)}
      documentType={known}
      onBack={() => setType(undefined)}
    />
  );
};

export const PortraitStep = (props: StepProps) => {
  const t = useText();
  const shots: Shot[] = [{ name: 'Portrait', title: t('selfie.title') }];
  return <PhotoStep {...props} step="PORTRAIT" subject="face" lead={t('selfie.lead')} shots={shots} />;
};
