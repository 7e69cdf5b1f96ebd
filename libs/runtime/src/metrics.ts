import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

/** The process's metrics, in Prometheus' text form. */
export const metricsText = (): Promise<string> => register.metrics();
export const metricsContentType = register.contentType;
export const startDefaultMetrics = (): void => collectDefaultMetrics({ prefix: 'assay_process_' });

const known = <M>(name: string, make: () => M): M => (register.getSingleMetric(name) as M | undefined) ?? make();

/** A counter; the same name gives the same counter. Names start with `assay_`; labels never carry ids. */
export const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
  known(name, () => new Counter({ name, help, labelNames }));
export const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
  known(name, () => new Gauge({ name, help, labelNames }));
/** A histogram; buckets are in the unit the name ends in. */
export const histogram = (name: string, help: string, labelNames: string[] = [], buckets?: number[]): Histogram =>
  known(name, () => new Histogram({ name, help, labelNames, ...(buckets ? { buckets } : {}) }));
