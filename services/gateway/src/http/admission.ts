import { type Readable, Transform } from 'node:stream';
import { guarded, malformedForm } from '@assay/http';
import type { Clock } from '@assay/runtime';
import type { RequestHandler } from 'express';
import { type CallOf, callOf, uploadOf } from './call.ts';
import type { Route } from './route.ts';

/**
 * A revocation is in force everywhere after so long: a request that takes longer is looked at
 * again.
 */
const LOOKED_AT_AGAIN_MS = 1000;

/**
 * What was checked when a request began has to hold when all of it has come, and before it has its
 * effect: a key that was revoked or a consent that was withdrawn meanwhile lets nothing in, however
 * slowly the body was sent or a lock was taken.
 */
const checkAgain = async ({ atEnd }: CallOf<never>, now: Clock): Promise<void> => {
  if (now().getTime() - atEnd.madeAt.getTime() < LOOKED_AT_AGAIN_MS) return;
  for (const check of atEnd.checks)
    await check().catch((error: unknown) => {
      atEnd.hasFailed = true;
      throw error;
    });
};

/** For a body that was read before its route is asked. */
export const stillAdmitted =
  (now: Clock): RequestHandler =>
  (_request, response, next) => {
    checkAgain(callOf(response), now).then(() => next(), next);
  };

/** The route, which is looked at again when its lock is taken and its act recorded. */
export const whileAdmitted = (route: Route, now: Clock): Route => ({
  ...route,
  handle: (call) => checkAgain(call, now).then(() => route.handle(call)),
});

/**
 * For a body that is passed on as it comes: its last bytes are held back until the checks were made
 * again, and whoever takes it in stores nothing without them.
 */
export const uploadWhileAdmitted = (call: CallOf<never>, now: Clock): Readable => {
  const { request } = call;
  const source = uploadOf(call);
  let last: Buffer | undefined;
  const stage = guarded(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const before = last;
        last = chunk;
        done(null, before);
      },
      flush(done) {
        checkAgain(call, now).then(() => done(null, last), done);
      },
    }),
  );
  const breakOff = (): void => void stage.destroy(malformedForm());
  stage.once('error', () => source.unpipe(stage));
  source.once('error', breakOff);
  request.once('close', () => {
    if (!request.complete) breakOff();
  });
  if (source.destroyed) breakOff();
  return source.pipe(stage);
};
