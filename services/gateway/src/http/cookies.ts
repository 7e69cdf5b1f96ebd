import { parse, type SerializeOptions, serialize } from 'cookie';
import type { Request } from 'express';
import type { SignInPage } from '../domain/sign-in.ts';

/** Whether the browser comes by TLS, as far as this service can know. */
const isByTls = (request: Request, publicUrl: string | undefined): boolean =>
  request.secure || publicUrl?.startsWith('https:') === true;

type CookieName = SignInPage | 'sign-in';

/**
 * Over TLS a name that browsers take from this very host alone, and only with `Secure`: no
 * neighbour of another name can plant one.
 */
const nameOf = (name: CookieName, byTls: boolean): string => `${byTls ? '__Host-' : ''}assay-${name}`;

const LONGEST = 4096;

/** The value of a cookie of ours. */
export const readCookie = (request: Request, name: CookieName, publicUrl: string | undefined): string | undefined => {
  const header = request.headers.cookie;
  const value = header && parse(header)[nameOf(name, isByTls(request, publicUrl))];
  return value && value.length <= LONGEST ? value : undefined;
};

/** `strict` of a session; `lax` of what has to survive the way back from the issuer. */
const optionsOf = (name: CookieName, secure: boolean): SerializeOptions => ({
  httpOnly: true,
  secure,
  sameSite: name === 'sign-in' ? 'lax' : 'strict',
  path: '/',
});

/** The header that sets a cookie which no script reads; without a value, that removes it. */
export const cookieHeader = (
  request: Request,
  name: CookieName,
  value: string | undefined,
  publicUrl: string | undefined,
): string => {
  const byTls = isByTls(request, publicUrl);
  const options = optionsOf(name, byTls);
  return serialize(nameOf(name, byTls), value ?? '', value === undefined ? { ...options, maxAge: 0 } : options);
};

const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a request with a session was made by a page of this service. What changes something names
 * its origin; browsers say of the rest whether it is their own site's.
 */
export const isOwnPage = ({ method, headers }: Request, publicUrl: string | undefined): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (READING.includes(method) && headers.origin === undefined) return true;
  const origin = hostOf(headers.origin);
  return origin !== undefined && (origin === headers.host || origin === hostOf(publicUrl));
};
