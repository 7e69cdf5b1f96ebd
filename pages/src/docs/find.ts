import { table } from '@assay/contracts/table';

/** A place of the documentation that can be found. */
export interface Place {
  page: string;
  title: string;
  href: string;
  text: string;
}

interface Shape {
  properties?: Record<string, unknown>;
}

/** Of the OpenAPI document what the search looks at. */
export interface Specification {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary: string;
        description?: string;
        parameters?: readonly { name: string }[];
        requestBody?: { content: Record<string, { schema: Shape }> };
      }
    >
  >;
  webhooks: Record<string, Record<string, { summary: string }>>;
  components: { schemas: Record<string, Shape> };
}

const PAGE = 'API reference';

type Call = Specification['paths'][string][string];

/** What a call takes, by name. */
const takenBy = ({ parameters = [], requestBody }: Call): string[] => [
  ...parameters.map(({ name }) => name),
  ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => Object.keys(schema.properties ?? {})),
];

/** What of the reference can be found: calls, webhooks and shapes with their fields. */
export const placesOf = ({ paths, webhooks, components }: Specification): Place[] => [
  { page: PAGE, title: PAGE, href: '/docs/reference', text: 'OpenAPI document, for Swagger, Postman and generators' },
  ...Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      page: PAGE,
      title: call.summary,
      href: `/docs/reference#${call.operationId}`,
      text: [`${method.toUpperCase()} ${path}`, call.operationId, ...takenBy(call), call.description].join(' '),
    })),
  ),
  ...Object.entries(webhooks).flatMap(([name, methods]) =>
    Object.values(methods).map(({ summary }) => ({
      page: PAGE,
      title: summary,
      href: `/docs/reference#webhook-${name}`,
      text: `webhook ${name}`,
    })),
  ),
  ...Object.entries(components.schemas).map(([name, { properties = {} }]) => ({
    page: PAGE,
    title: name,
    href: `/docs/reference#shape-${name}`,
    text: `shape ${Object.keys(properties).join(' ')}`,
  })),
];

const MOST = 12;

/** What newcomers type for what the documentation calls otherwise. */
const ALSO = table<string>({
  rate: 'requests',
  limit: 'many',
  sdk: 'client',
  pagination: 'cursor',
  gdpr: 'erase',
  liveness: 'live capture',
  signing: 'signature',
  retry: 'again',
  callback: 'webhook',
  sms: 'mobile',
  driver: 'driving',
  license: 'licence',
  match: 'compare',
  size: 'large',
  duplicate: 'twice',
  retention: 'delet',
  branding: 'colour',
  translation: 'language',
  localization: 'language',
});

/** Shorter words would be found within others. */
const SHORTEST_STEM = 4;
/** A word without the endings of its other forms: limiting, limits, limited. */
const stemOf = (word: string): string => {
  const stem = word.replace(/(?:ing|ed|s)$/, '');
  return stem.length < SHORTEST_STEM ? word : stem;
};

const weightOf = ({ page, title, text }: Place, word: string): number => {
  const [inTitle, inPage, inText] = [title, page, text].map((part) => part.toLowerCase().includes(word));
  if (title.toLowerCase().startsWith(word)) return 8;
  // The end of a call's path is the call itself.
  if (word.startsWith('/') && /^[A-Z]+ \S+/.exec(text)?.[0].toLowerCase().endsWith(word)) return 7;
  if (inTitle) return 6;
  if (inPage) return 3;
  return inText ? 1 : 0;
};

const sayings = (word: string): string[] => {
  const stem = stemOf(word);
  return [word, stem, ALSO[word] ?? ALSO[stem] ?? word];
};

/** The places that have every word that is looked for, the best first. */
export const find = (places: readonly Place[], wanted: string): Place[] => {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return places
    .map((place) => ({
      place,
      weights: words.map((word) => Math.max(...sayings(word).map((said) => weightOf(place, said)))),
    }))
    .filter(({ weights }) => weights.every((weight) => weight > 0))
    .map(({ place, weights }) => ({ place, weight: weights.reduce((sum, weight) => sum + weight, 0) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ place }) => place);
};
