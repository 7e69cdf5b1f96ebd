/**
 * With `--import` of this file, the process of a service has a wrong clock, each service another,
 * as if its machine was set wrong. Only `Date` is wrong; measured durations are right.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const AHEAD_MS = {
  gateway: -24 * HOUR,
  'evidence-intake': 2 * HOUR,
  'verification-worker': -HOUR,
  'issuing-source-adapter': 24 * HOUR,
  'proof-builder': -10 * MINUTE,
  notifier: HOUR,
};

const [, aheadMs = 0] = Object.entries(AHEAD_MS).find(([name]) => process.argv[1]?.includes(`/${name}`)) ?? [];
if (aheadMs !== 0) {
  const Right = Date;
  const now = () => Right.now() + aheadMs;
  globalThis.Date = new Proxy(Right, {
    construct: (_, given, target) => Reflect.construct(Right, given.length > 0 ? given : [now()], target),
    apply: () => new Right(now()).toString(),
    get: (_, member) => (member === 'now' ? now : Reflect.get(Right, member)),
  });
}
