import { Button, Dialog } from '../design/controls.tsx';
import { useText } from './text.ts';

/** Back was pressed where nothing came before: what was sent is kept, and the person may go on. */
export const Leaving = ({ open, onStay }: { open: boolean; onStay: () => void }) => {
  const t = useText();
  return (
    <Dialog open={open} label={t('leave.title')} onClose={onStay}>
      <h2>{t('leave.title')}</h2>
      <p>{t('leave.lead')}</p>
      <Button tone="primary" wide onClick={onStay}>
        {t('next')}
      </Button>
    </Dialog>
  );
};
