/** A place of the documentation that can be found. */
export interface Place {
  page: string;
  title: string;
  href: string;
  text: string;
}

/** Of the OpenAPI document what the search looks at. */
export interface Specification {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
  webhooks: Record<string, Record<string, { summary: string }>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}

const PAGE = 'API reference';

/** What of the reference can be found: calls, webhooks and shapes with their fields. */
export const placesOf = ({ paths, webhooks, components }: Specification): Place[] => [
  ...Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => ({
      page: PAGE,
      title: summary,
      href: `/docs/reference#${operationId}`,
      text: `${method.toUpperCase()} ${path} ${operationId}`,
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

const weightOf = ({ page, title, text }: Place, word: string): number => {
  const [inTitle, inPage, inText] = [title, page, text].map((part) => part.toLowerCase().includes(word));
  if (title.toLowerCase().startsWith(word)) return 8;
  if (inTitle) return 6;
  if (inPage) return 3;
  return inText ? 1 : 0;
};

/** The places that have every word that is looked for, the best first. */
export const find = (places: readonly Place[], wanted: string): Place[] => {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return places
    .map((place) => ({ place, weights: words.map((word) => weightOf(place, word)) }))
    .filter(({ weights }) => weights.every((weight) => weight > 0))
    .map(({ place, weights }) => ({ place, weight: weights.reduce((sum, weight) => sum + weight, 0) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ place }) => place);
};
