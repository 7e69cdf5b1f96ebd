import { present } from '@assay/contracts';
import type { Command } from 'commander';
import type { Input } from '../api/connection.ts';
import { UnusableInput } from '../proof/report.ts';
import { clientOf, say } from './identity.ts';
import { wholeNumber } from './numbers.ts';

const DAY = 86_400;

type Wish = NonNullable<Input<'createUserAgentSession'>['body']>;
type Step = NonNullable<Wish['steps']>[number];
const STEPS: readonly Step[] = ['DOCUMENT', 'CHIP', 'PORTRAIT', 'EMAIL', 'MOBILE'];
/** What the capture page has words in. */
export const LANGUAGES: readonly string[] = ['en', 'de', 'fr', 'es', 'pt', 'ar', 'ja'];

const isStep = (text: string): text is Step => STEPS.some((step) => step === text);

/** Reads the option --steps; an unknown step is refused with the list of steps. */
const stepsIn = (text: string): Step[] => {
  const steps = text.split(',').map((step) => step.trim().toUpperCase());
  if (!steps.every(isStep) || new Set(steps).size !== steps.length)
    throw new UnusableInput(`--steps takes each of ${STEPS.join(', ')} once, with commas between, not '${text}'`);
  return steps;
};

const languageIn = (text: string): string => {
  const isKnown = /^[a-z]{2}([-_][a-z0-9]{2,8})*$/i.test(text) && LANGUAGES.includes(text.slice(0, 2).toLowerCase());
  if (!isKnown)
    throw new UnusableInput(`--locale takes a language of the capture page, ${LANGUAGES.join(', ')}, not '${text}'`);
  return text;
};

const addressIn = (text: string): string => {
  if (!URL.canParse(text))
    throw new UnusableInput(`--return-url takes an address such as https://shop.example/done, not '${text}'`);
  return text;
};

interface Flags {
  steps?: Step[];
  locale?: string;
  returnUrl?: string;
  expires?: number;
  json?: boolean;
}

/** `assay link`: an address of the capture page, for one device. */
export const addLinkCommand = (program: Command): void => {
  program
    .command('link')
    .description('print a link to the capture page; without an identity, for a new one')
    .argument('[identity]', 'its id')
    .option('--steps <list>', 'such as DOCUMENT,PORTRAIT', stepsIn)
    .option('--locale <language>', 'such as de', languageIn)
    .option('--return-url <url>', 'where the capture page leads at the end', addressIn)
    .option('--expires <seconds>', 'how long the link works', wholeNumber('--expires', 1, DAY))
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, { steps, locale, returnUrl, expires, ...flags }: Flags) => {
      const client = clientOf(program);
      const identityId = given ?? (await client.createIdentity()).id;
      const body: Wish = present({ steps, locale, returnUrl, expiresInSeconds: expires });
      const link = await client.createLink(identityId, body).catch(async (error: unknown) => {
        // What was made for the link alone does not stay without it.
        if (given === undefined) await client.deleteIdentity(identityId).catch(() => undefined);
        throw error;
      });
      say({ identityId, ...link }, [link.url, `identity ${identityId}, good until ${link.expireAt} UTC`], flags);
    });
};
