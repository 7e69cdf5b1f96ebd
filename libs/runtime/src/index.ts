/** Running a service: configuration, logging, metrics, health, start and stop. */
export { type Admin, createAdmin } from './admin.ts';
export {
  base64Key,
  COMMON_CONFIG,
  flag,
  integer,
  list,
  optional,
  type Reader,
  readConfig,
  text,
  url,
  withDefault,
} from './config.ts';
export { crashPoint } from './crash.ts';
export { type Clock, newId } from './ids.ts';
export { createLog, type Log } from './log.ts';
export { counter, gauge, histogram, metricsContentType, metricsText } from './metrics.ts';
export { type Closable, runService, type ServiceContext, type ServiceOptions } from './service.ts';
export { type SweeperOptions, startSweeper } from './sweeper.ts';
export { currentTraceparent, inSpan, outsideTraces, type SpanAttributes, type SpanOptions } from './trace.ts';
