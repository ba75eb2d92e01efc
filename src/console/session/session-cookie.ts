import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The session cookie (RFC 6265): out of reach of scripts, not sent along by other sites, and bound to the path this
 * installation stands under.
 */
export const SESSION_COOKIE = 'rowpress_session';
export const SESSION_SECONDS = 30 * 86_400;

const TOKEN = /^[A-Za-z0-9]{43}$/;

export interface CookieSettings {
  readonly basePath: string;
  /** Whether browsers reach this server by https. */
  readonly secure: boolean;
}

/** The first of that name: browsers send the cookie of the longest path first (section 5.4). */
export function readSessionToken(request: FastifyRequest): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=', 2);
    if (name?.trim() !== SESSION_COOKIE) continue;
    const token = value?.trim() ?? '';
    return TOKEN.test(token) ? token : undefined;
  }
  return undefined;
}

export function setSessionCookie(reply: FastifyReply, token: string, settings: CookieSettings): void {
  reply.header('set-cookie', cookie(token, SESSION_SECONDS, settings));
}

export function clearSessionCookie(reply: FastifyReply, settings: CookieSettings): void {
  reply.header('set-cookie', cookie('', 0, settings));
}

function cookie(value: string, maxAge: number, { basePath, secure }: CookieSettings): string {
  const attributes = [`Path=${basePath || '/'}`, `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax'];
  return [`${SESSION_COOKIE}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}
