import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'rowpress_session';
const TOKEN = /^[A-Za-z0-9]{43}$/;

export interface CookieSettings {
  readonly basePath: string;
  /** According to the configuration, browsers use https, even if a proxy forwards http. */
  readonly alwaysSecure: boolean;
}

/**
 * The session cookie (RFC 6265bis): scripts cannot read it, and requests of other sites do not carry it.
 *
 * Over TLS its name has the prefix `__Host-`: a browser accepts such a cookie only from this very host over https, so
 * neither a sibling domain nor a plain connection can plant one. The prefix requires `Path=/`, so the base path is part
 * of the name instead: two installations on one host keep their sessions apart. Nothing is lost by `Path=/`: pages of one
 * origin can call each other's routes whatever the path of a cookie is.
 *
 * Without TLS browsers refuse the prefix. Then the cookie has its plain name and is bound to the base path.
 */
interface CookieShape {
  readonly name: string;
  readonly path: string;
  readonly secure: boolean;
}

/** A base path has no plus sign, so different paths have different names. */
const hostCookie = ({ basePath }: CookieSettings, name = NAME): CookieShape => ({
  name: `__Host-${name}${basePath.replaceAll('/', '+')}`,
  path: '/',
  secure: true,
});

const plainCookie = ({ basePath }: CookieSettings, name = NAME): CookieShape => ({
  name,
  path: basePath || '/',
  secure: false,
});

const isSecure = (request: FastifyRequest, { alwaysSecure }: CookieSettings) =>
  alwaysSecure || request.protocol === 'https';

export interface PresentedToken {
  readonly token: string;
  /** The plain name over TLS: valid only for sessions that are older than the prefix. */
  readonly isOldCookie: boolean;
}

export function readSessionToken(
  request: FastifyRequest,
  settings: CookieSettings,
): PresentedToken | undefined {
  const plain = findToken(request, plainCookie(settings).name);
  const token = isSecure(request, settings) ? findToken(request, hostCookie(settings).name) : plain;
  if (token !== undefined) return { token, isOldCookie: false };
  return plain === undefined ? undefined : { token: plain, isOldCookie: true };
}

/** The first of that name: browsers send the cookie of the longest path first (section 5.8.3). */
function findToken(request: FastifyRequest, wanted: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=', 2);
    if (name?.trim() !== wanted) continue;
    const token = value?.trim() ?? '';
    return TOKEN.test(token) ? token : undefined;
  }
  return undefined;
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, maxAgeSeconds }: { readonly token: string; readonly maxAgeSeconds: number },
  settings: CookieSettings,
): void {
  const secure = isSecure(request, settings);
  reply.header(
    'set-cookie',
    cookie(secure ? hostCookie(settings) : plainCookie(settings), token, maxAgeSeconds),
  );
  if (secure) dropPlainCookie(request, reply, settings);
}

export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: CookieSettings,
): void {
  setSessionCookie(request, reply, { token: '', maxAgeSeconds: 0 }, settings);
}

/** Otherwise the old cookie would still be sent, even over plain connections. */
function dropPlainCookie(request: FastifyRequest, reply: FastifyReply, settings: CookieSettings): void {
  const old = plainCookie(settings);
  if (findToken(request, old.name) !== undefined) reply.header('set-cookie', cookie(old, '', 0));
}

function cookie({ name, path, secure }: CookieShape, value: string, maxAge: number): string {
  const attributes = [`Path=${path}`, `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax'];
  return [`${name}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/** Reads the token of another cookie with the same protection, such as that of a started sign-in. */
export const readTokenNamed = (request: FastifyRequest, name: string, settings: CookieSettings) =>
  findToken(request, shapeFor(request, name, settings).name);

export function setTokenNamed(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  { token, maxAgeSeconds }: { readonly token: string; readonly maxAgeSeconds: number },
  settings: CookieSettings,
): void {
  reply.header('set-cookie', cookie(shapeFor(request, name, settings), token, maxAgeSeconds));
}

const shapeFor = (request: FastifyRequest, name: string, settings: CookieSettings): CookieShape =>
  isSecure(request, settings) ? hostCookie(settings, name) : plainCookie(settings, name);
