import { escaped } from '../page/page.ts';
import type { CaughtMessage } from './messages.ts';

const SHOWN = 100;
const CHANNELS: Readonly<Record<CaughtMessage['channel'], string>> = {
  EMAIL: 'Mail to',
  SMS: 'Text message to',
  WEBHOOK: 'Notification at',
};

const item = ({ channel, to, at, subject, text }: CaughtMessage): string =>
  `<article><header><span>${CHANNELS[channel]} <strong>${escaped(to)}</strong></span><time>${escaped(at)}</time></header>` +
  `${subject ? `<strong>${escaped(subject)}</strong>` : ''}<pre>${escaped(text)}</pre></article>`;

/** What was caught, the newest first, as markup. */
export const inbox = (messages: readonly CaughtMessage[], host: string): string => {
  const newest = messages.slice(-SHOWN).reverse().map(item).join('');
  const webhooks = escaped(`http://${host}/webhooks`);
  return (
    `<p>Mail and text messages that would have gone to people. Notifications come here too, for a tenant whose ` +
    `webhook has the address <code>${webhooks}</code>. For programs: <a href="/messages">JSON</a>.</p>` +
    `<form method="post" action="/empty"><a href="/">Refresh</a><button>Forget all</button></form>` +
    `${newest || '<p>Nothing was caught yet.</p>'}`
  );
};
