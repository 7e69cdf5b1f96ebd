import { read, sourcesIn } from './sources.ts';

export interface Metric {
  name: string;
  kind: string;
  help: string;
  labels: string[];
  /** Who has it: a service, or a lib that all of them use. */
  by: string;
}

const MADE =
  /\b(?<kind>counter|gauge|histogram)\(\s*'(?<name>assay_\w+)',\s*(?<quote>['"])(?<help>.+?)\k<quote>,?\s*(?:\[(?<labels>[^\]]*)\]|(?<variable>labels))?/gs;
const CALLED = /(?<!export const )\b(?:counter|gauge|histogram)\(\s*['`]/g;

const byOf = (path: string): string => path.split('/').slice(0, 2).join('/').replace('services/', '');

/**
 * Every metric that the code makes. @throws where one is made in a way that is not understood here
 */
export const allMetrics = (): Metric[] =>
  [...sourcesIn('services'), ...sourcesIn('libs')]
    .flatMap((path) => {
      const source = read(path);
      const found = [...source.matchAll(MADE)];
      if (found.length !== [...source.matchAll(CALLED)].length)
        throw new Error(`a metric of ${path} is not understood`);
      return found.map(({ groups }): Metric => {
        const { name = '', kind = '', help = '', labels = '', variable } = groups ?? {};
        const inline = variable ? (/\blabels = \[([^\]]*)\]/.exec(source)?.[1] ?? '') : labels;
        return { name, kind, help, labels: [...inline.matchAll(/'(\w+)'/g)].map(([, one]) => one!), by: byOf(path) };
      });
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));

export interface Alert {
  alert: string;
  expr: string;
  after: string;
  severity: string;
  summary: string;
  runbook: string;
}

const member = (rule: string, name: string): string => {
  const found = new RegExp(`\\b${name}: (?:'([^']*)'|"([^"]*)"|([^\\s}]+))`).exec(rule);
  return found?.slice(1).find((text) => text !== undefined) ?? '';
};
const expressionOf = (rule: string): string =>
  /expr: (?:>-\n)?(.+?)\n\s+(?:for|labels):/s.exec(rule)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';

/** The rules of deploy/prometheus/alerts.yml, which are all written alike. */
export const allAlerts = (): Alert[] =>
  read('deploy/prometheus/alerts.yml')
    .split(/^ +- alert: /m)
    .slice(1)
    .map((rule) => ({
      alert: rule.slice(0, rule.indexOf('\n')),
      expr: expressionOf(rule),
      after: member(rule, 'for'),
      severity: member(rule, 'severity'),
      summary: member(rule, 'summary'),
      runbook: member(rule, 'runbook'),
    }));
