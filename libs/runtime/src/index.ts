/** Running a service: configuration, logging, metrics, health, start and stop. */
export { type Admin, createAdmin } from './admin.ts';
export { type Apart, type ApartOptions, createApart } from './apart.ts';
export { type Backoff, pauseAfter } from './backoff.ts';
export { type Batches, type BatchOptions, createBatches } from './batches.ts';
export {
  address,
  atLeast,
  base64Key,
  base64Keys,
  COMMON_CONFIG,
  environment,
  flag,
  integer,
  list,
  listOf,
  logLevel,
  milliseconds,
  namingFile,
  optional,
  port,
  proxies,
  type Reader,
  ranges,
  readConfig,
  readJsonFile,
  seconds,
  startedWith,
  text,
  upTo,
  url,
  withDefault,
} from './config.ts';
export { crashPoint } from './crash.ts';
export { isDependencyDown, isUnexplained } from './dependency.ts';
export { type Examine, examineProcess, examineWith, type ProcessFinding } from './findings.ts';
export { type Clock, newId, systemClock } from './ids.ts';
export { inLine } from './in-line.ts';
export { Late, unlessLate } from './late.ts';
export { createLog, type Log } from './log.ts';
export { boundedLabel, counter, gauge, histogram, metricsContentType, metricsText } from './metrics.ts';
export { createNextLook, type NextLook } from './next-look.ts';
export {
  createPatience,
  forgetReadiness,
  isUnready,
  type Readiness,
  type ReadinessCheck,
  type Unready,
  watchedReadiness,
  watchReadiness,
} from './readiness.ts';
export { createRecent, type Recent, type RecentOptions } from './recent.ts';
export { isInRound, progressed } from './round.ts';
export { type Closable, runService, type ServiceConfig, type ServiceContext } from './service.ts';
export { type Sweeper, type SweeperOptions, startSweeper } from './sweeper.ts';
export { currentTraceparent, inSpan, outsideTraces, type SpanAttributes, type SpanOptions } from './trace.ts';
