import { once } from 'node:events';
import { present } from '@assay/contracts';
import type { Command } from 'commander';
import { UnusableInput } from '../proof/report.ts';
import { callAll, callSuite } from './call.ts';
import { say } from './identity.ts';
import { listen } from './listen.ts';
import { wholeNumber } from './numbers.ts';
import { print, printAside } from './print.ts';
import { findSuite, type Suite, type SuiteOptions } from './suite.ts';
import { timeOf } from './times.ts';

interface Delivery {
  deliveryId: string;
  identityId: string;
  event: string;
  state: string;
  attempts: { at: string; statusCode?: number; error?: string; bodySha256?: string }[];
}
interface JsonFlag {
  json?: boolean;
}
interface ListenFlags extends JsonFlag {
  forward?: string;
  port: number;
  publicUrl?: string;
  replace?: boolean;
}

/** What `deliveryLine` reads. */
const DELIVERY = ['deliveryId', 'identityId', 'event', 'state', 'attempts'] as const;
const deliveryLine = ({ deliveryId, identityId, event, state, attempts }: Delivery): string => {
  const last = attempts.at(-1);
  return [
    deliveryId,
    state.padEnd(9),
    event,
    identityId,
    `${attempts.length}x`,
    last?.error ?? last?.statusCode ?? '',
    ...(last?.bodySha256 ? [`sha256:${last.bodySha256}`] : []),
  ].join('  ');
};

const NO_WEBHOOK =
  'the tenant has no webhook\nnext: set one with assay tenants change, or receive notifications here with assay webhooks listen';

const at = (tenantId: string, path = ''): string => `/admin/v1/tenants/${encodeURIComponent(tenantId)}${path}`;

/** The tenant that is named, else that of the suite that runs here. */
const tenantOf = (suite: Suite, given: string | undefined): string => {
  const tenantId = given ?? suite.tenantId;
  if (!tenantId) throw new UnusableInput('which tenant? give its id: assay tenants list shows them');
  return tenantId;
};

const LAST_PORT = 65_535;
/** Where notifications are handed on to: a port of this machine, or an address. */
const forwardOf = (text: string): string => {
  if (/^\d+$/.test(text)) return `http://127.0.0.1:${wholeNumber('--forward', 1, LAST_PORT)(text)}/`;
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new UnusableInput(`--forward takes a port, or an address such as http://127.0.0.1:3000/hooks, not '${text}'`);
  return text;
};

type WithWebhook = { settings: { webhook?: { url: string } | null } };
/** Where the notifications of a tenant go; undefined where they go nowhere. */
const webhookOf = async (suite: Suite, tenantId: string): Promise<string | undefined> => {
  const { settings } = await callSuite<WithWebhook>(suite, 'GET', at(tenantId), undefined, ['settings']);
  return settings.webhook?.url;
};

/** Makes this machine the tenant's receiver until it is interrupted; then the tenant has none. */
const listenFor = async (suite: Suite, tenantId: string, flags: ListenFlags): Promise<void> => {
  const change = (webhook: object | null) => callSuite(suite, 'PATCH', at(tenantId), { settings: { webhook } });
  const former = await webhookOf(suite, tenantId);
  if (former && !flags.replace)
    throw new UnusableInput(
      `the tenant's notifications go to ${former}: --replace takes its place, and afterwards there is none`,
    );
  const listening = await listen(flags, { print, printAside });
  const hear = async (): Promise<void> => {
    const url = flags.publicUrl ?? `http://127.0.0.1:${listening.port}/`;
    // Heard from here on: whoever interrupts while the webhook is set leaves none behind either.
    const interrupted = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
    await change({ url, ...listening.webhook, attempts: 1 });
    printAside(`listening on port ${listening.port}, Ctrl-C ends it`);
    printAside(`secret for ${listening.webhook.headerName} (HMAC): ${listening.webhook.secret}`);
    await interrupted;
    await change(null);
  };
  await hear().finally(listening.close);
};

/** The log of deliveries. */
const addLogCommands = (webhooks: Command, suiteOf: () => Suite): void => {
  webhooks
    .command('list')
    .description('list the notifications that were sent')
    .argument('[tenant]', 'its id')
    .option('--identity <id>', 'of one identity')
    .option('--state <state>', 'PENDING, DELIVERED or FAILED')
    .option('--json', 'print JSON')
    .action(
      async (
        tenant: string | undefined,
        { identity, state, ...flags }: JsonFlag & { identity?: string; state?: string },
      ) => {
        const suite = suiteOf();
        const query = new URLSearchParams(present({ identityId: identity, state }));
        const path = at(tenantOf(suite, tenant), `/deliveries?${query}`);
        const items = await callAll<Delivery>(suite, path, DELIVERY);
        say(items, items.map(deliveryLine), flags);
      },
    );
  webhooks
    .command('resend')
    .description('send a notification again: the same bytes under the same webhook-id')
    .argument('<delivery>', 'its id')
    .argument('[tenant]', 'its id')
    .option('--json', 'print JSON')
    .action(async (deliveryId: string, tenant: string | undefined, flags: JsonFlag) => {
      const suite = suiteOf();
      const path = at(tenantOf(suite, tenant), `/deliveries/${encodeURIComponent(deliveryId)}/resend`);
      const again = await callSuite<Delivery>(suite, 'POST', path, undefined, ['deliveryId', 'attempts', 'state']);
      say(again, [deliveryLine(again)], flags);
    });
  webhooks
    .command('test')
    .description('send a signed test notification, and print the answer of the receiver')
    .argument('[tenant]', 'its id')
    .option('--json', 'print JSON')
    .action(async (tenant: string | undefined, flags: JsonFlag) => {
      const suite = suiteOf();
      const tenantId = tenantOf(suite, tenant);
      if (!(await webhookOf(suite, tenantId))) throw new UnusableInput(NO_WEBHOOK);
      const path = at(tenantId, '/endpoint/test');
      const said = await callSuite<{ statusCode?: number; error?: string; durationMs?: number }>(suite, 'POST', path);
      say(said, [`${said.statusCode ?? said.error}  ${said.durationMs ?? 0} ms`], flags);
    });
};

/** What failed while a receiver was away. */
const addRecoverCommand = (webhooks: Command, suiteOf: () => Suite): void => {
  webhooks
    .command('recover')
    .description('send all notifications again that failed since a time: the same bytes, the oldest first')
    .argument('[tenant]', 'its id')
    .requiredOption('--since <time>', 'UTC, such as 2026-01-02T03:04:05', timeOf('--since'))
    .option('--until <time>', 'by default now', timeOf('--until'))
    .option('--json', 'print JSON')
    .action(
      async (tenant: string | undefined, { since, until, ...flags }: JsonFlag & { since: string; until?: string }) => {
        const suite = suiteOf();
        const path = at(tenantOf(suite, tenant), '/deliveries/recover');
        const range = { since, ...present({ until }) };
        const said = await callSuite<{ recovered: number }>(suite, 'POST', path, range, ['recovered']);
        say(said, [`${said.recovered} sent again`], flags);
      },
    );
};

/** `assay webhooks`: what a tenant's webhook receives, and a receiver on this machine. */
export const addWebhookCommands = (program: Command): void => {
  const suiteOf = (): Suite => findSuite(program.opts<SuiteOptions>());
  const webhooks = program.command('webhooks').description('notifications of a tenant');
  webhooks
    .command('listen')
    .description('receive notifications on this machine until Ctrl-C; print a line for each; forward them')
    .argument('[tenant]', 'its id')
    .option('--forward <port-or-url>', 'the program on this machine that gets the same bytes and headers', forwardOf)
    .option('--port <number>', 'port to listen on; a free one by default', wholeNumber('--port', 0, LAST_PORT), 0)
    .option('--public-url <url>', 'address by which the suite reaches this port, where it runs elsewhere')
    .option('--replace', 'replace the webhook that the tenant has')
    .option('--json', 'print the bodies')
    .action((tenant: string | undefined, flags: ListenFlags) => {
      const suite = suiteOf();
      return listenFor(suite, tenantOf(suite, tenant), flags);
    });
  addLogCommands(webhooks, suiteOf);
  addRecoverCommand(webhooks, suiteOf);
};
