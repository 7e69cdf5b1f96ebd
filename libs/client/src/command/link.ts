import type { Command } from 'commander';
import type { Input } from '../api/connection.ts';
import { clientOf, say } from './identity.ts';
import { wholeNumber } from './numbers.ts';

const DAY = 86_400;

interface Flags {
  steps?: string;
  locale?: string;
  returnUrl?: string;
  expires?: number;
  json?: boolean;
}

/** `assay link`: an address of the capture page, for one device. */
export const addLinkCommand = (program: Command): void => {
  program
    .command('link')
    .description('a link to the capture page; without an identity, for a new one')
    .argument('[identity]', 'its id')
    .option('--steps <list>', 'such as DOCUMENT,PORTRAIT')
    .option('--locale <language>', 'such as de')
    .option('--return-url <url>', 'where it leads when it is done')
    .option('--expires <seconds>', 'how long it is good', wholeNumber('--expires', 1, DAY))
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, { steps, locale, returnUrl, expires, ...flags }: Flags) => {
      const client = clientOf(program);
      const identityId = given ?? (await client.createIdentity()).id;
      const body = {
        ...(steps ? { steps: steps.split(',') } : {}),
        ...(locale ? { locale } : {}),
        ...(returnUrl ? { returnUrl } : {}),
        ...(expires ? { expiresInSeconds: expires } : {}),
      } as Input<'createUserAgentSession'>['body'];
      const link = await client.createLink(identityId, body);
      say({ identityId, ...link }, [link.url, `identity ${identityId}, good until ${link.expireAt} UTC`], flags);
    });
};
