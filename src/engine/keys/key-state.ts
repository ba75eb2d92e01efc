export type KeyState = 'live' | 'expired' | 'revoked';

/** Returns the state that follows from a key's dates. */
export function keyState(
  { revoked_at, expires_at }: { readonly revoked_at: Date | null; readonly expires_at: Date | null },
  now: Date,
): KeyState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'live';
}
