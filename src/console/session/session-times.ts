import type { SessionBounds } from '#storage/console/sessions.ts';

/** How long a session lasts without a request, and at most. */
export interface SessionTimes {
  readonly idleSeconds: number;
  readonly maxSeconds: number;
}

/** A session is renewed once a minute of use, not with every request. */
const RENEW_AFTER_MS = 60_000;

export const renewAfterMs = ({ idleSeconds }: SessionTimes): number =>
  Math.min(RENEW_AFTER_MS, idleSeconds * 250);

export function sessionExpiry(createdAt: Date, now: Date, times: SessionTimes): Date {
  return new Date(
    Math.min(now.getTime() + times.idleSeconds * 1000, createdAt.getTime() + times.maxSeconds * 1000),
  );
}

/** Uses the current settings, so that a shorter lifetime also applies to existing sessions. */
export function sessionBounds(now: Date, times: SessionTimes): SessionBounds {
  return {
    now,
    seenAfter: new Date(now.getTime() - times.idleSeconds * 1000),
    createdAfter: new Date(now.getTime() - times.maxSeconds * 1000),
  };
}

export const secondsUntil = (time: Date, now: Date): number =>
  Math.max(0, Math.round((time.getTime() - now.getTime()) / 1000));
