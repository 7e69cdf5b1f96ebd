import { present } from '@assay/contracts';
import { ApiError, methodNotAllowed } from '@assay/http';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { PLACE, SIGN_IN_PAGES, type SignInPage } from '../domain/sign-in.ts';
import { CALLBACK_PATH, callbackAt, type SignInFailure, type SignInFlow, type SignInWish } from '../flows/sign-in.ts';
import { baseOf, sourceOf } from './call.ts';
import { cookieHeader, readCookie } from './cookies.ts';
import { createWindowStore } from './window-store.ts';

export interface SignInDeps {
  signInFlow: SignInFlow;
  /** Address of the gateway as its clients see it; that of the request where it is absent. */
  publicUrl?: string | undefined;
}

/** Of one address; each may make this service ask the issuer. */
const MOST_A_MINUTE = 120;
const WINDOW_MS = 60_000;

/** No tenant that a group is granted has a longer one. */
const LONGEST_TENANT_ID = 64;

/** A place within one of our own pages: whatever was asked for, it leads nowhere else. */
const addressIn = ({ page, place }: Pick<SignInWish, 'page' | 'place'>, failure?: SignInFailure): string =>
  `/${page}/${failure ? `?sign-in=${failure}` : ''}#${place}`;

const given = (request: Request, name: string): string | undefined => {
  const value = request.query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const wishOf = (request: Request): SignInWish => {
  const page = SIGN_IN_PAGES.find((each): each is SignInPage => each === request.params.page);
  if (!page) throw new ApiError('NOT_FOUND');
  const place = given(request, 'returnTo') ?? '/';
  if (!PLACE.test(place))
    throw new ApiError('BAD_FIELD', { field: 'returnTo', message: 'must be a place in the page, such as /cases/ID' });
  const tenantId = given(request, 'tenantId');
  if (tenantId !== undefined && tenantId.length > LONGEST_TENANT_ID)
    throw new ApiError('BAD_FIELD', {
      field: 'tenantId',
      message: `must have at most ${LONGEST_TENANT_ID} characters`,
    });
  return { page, place, ...present({ tenantId }) };
};

const begin = async ({ signInFlow, publicUrl }: SignInDeps, request: Request, response: Response): Promise<void> => {
  const wish = wishOf(request);
  const before = readCookie(request, 'sign-in', publicUrl) ?? '';
  const begun = await signInFlow.begin(wish, callbackAt(baseOf(request, publicUrl)), before);
  if (!begun) throw new ApiError('NOT_FOUND', { message: 'only keys can sign in here' });
  if ('failure' in begun) return response.redirect(303, addressIn(wish, begun.failure));
  response.append('set-cookie', cookieHeader(request, 'sign-in', begun.carried, publicUrl));
  response.redirect(303, begun.url.href);
};

const finish = async ({ signInFlow, publicUrl }: SignInDeps, request: Request, response: Response): Promise<void> => {
  const carried = readCookie(request, 'sign-in', publicUrl) ?? '';
  const query = request.originalUrl.split('?')[1] ?? '';
  const currentUrl = new URL(`${callbackAt(baseOf(request, publicUrl))}?${query}`);
  const outcome = await signInFlow.finish(carried, currentUrl, response.locals.requestId);
  response.append('set-cookie', cookieHeader(request, 'sign-in', outcome.carried, publicUrl));
  if ('failure' in outcome) {
    const wish = outcome.wish ?? { page: SIGN_IN_PAGES[0], place: '/' };
    return response.redirect(303, addressIn(wish, outcome.failure));
  }
  const { page } = outcome.wish;
  const former = readCookie(request, page, publicUrl);
  if (former !== undefined) await signInFlow.forget(page, former);
  response.append('set-cookie', cookieHeader(request, page, outcome.token, publicUrl));
  response.redirect(303, addressIn(outcome.wish));
};

const handled =
  (work: (request: Request, response: Response) => Promise<void>): RequestHandler =>
  (request, response, next) => {
    work(request, response).catch(next);
  };

/** The way to the issuer and back; the pages send the browser here. */
export const signInRoutes = (deps: SignInDeps): Router => {
  const router = Router();
  const atMost = rateLimit({
    windowMs: WINDOW_MS,
    store: createWindowStore(WINDOW_MS),
    limit: MOST_A_MINUTE,
    standardHeaders: 'draft-6',
    legacyHeaders: false,
    // Whom to believe about addresses is express' `trust proxy` to say; what is no address is none.
    validate: false,
    keyGenerator: (request) => ipKeyGenerator(sourceOf(request).ip ?? ''),
    handler: (_request, _response, next) =>
      next(new ApiError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': '60' } })),
  });
  router.get(
    CALLBACK_PATH,
    atMost,
    handled((request, response) => finish(deps, request, response)),
  );
  router.get(
    '/sign-in/:page',
    atMost,
    handled((request, response) => begin(deps, request, response)),
  );
  router.all('/sign-in/:page', methodNotAllowed('GET', 'HEAD'));
  return router;
};
