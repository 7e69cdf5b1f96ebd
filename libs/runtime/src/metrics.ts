import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

/** The process's metrics, in Prometheus' text form. */
export const metricsText = (): Promise<string> => register.metrics();
export const metricsContentType = register.contentType;
export const startDefaultMetrics = (): void => collectDefaultMetrics({ prefix: 'assay_process_' });

const known = <M>(name: string, make: () => M): M => (register.getSingleMetric(name) as M | undefined) ?? make();

/**
 * A counter; the same name gives the same counter. Names start with `assay_`; labels carry no id of
 * an identity.
 */
export const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
  known(name, () => new Counter({ name, help, labelNames }));
/** A gauge; `collect` sets it each time it is read. */
export const gauge = (name: string, help: string, labelNames: string[] = [], collect?: () => void): Gauge =>
  known(name, () => new Gauge({ name, help, labelNames, ...(collect ? { collect } : {}) }));
/** A histogram; buckets are in the unit the name ends in. */
export const histogram = (name: string, help: string, labelNames: string[] = [], buckets?: number[]): Histogram =>
  known(name, () => new Histogram({ name, help, labelNames, ...(buckets ? { buckets } : {}) }));

const OTHERS = 'other';

/**
 * A label whose values are bounded: the first ones a process meets have their own, all further ones
 * share one.
 */
export const boundedLabel = (most: number): ((value: string) => string) => {
  const met = new Set<string>();
  return (value) => {
    if (!met.has(value) && met.size >= most) return OTHERS;
    met.add(value);
    return value;
  };
};
