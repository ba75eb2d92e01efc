export interface ExpiringKey {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly surface: string;
  readonly expires_at: string;
}

/** One sentence about keys that expire soon; undefined if there are none. */
export function expiryNotice(keys: readonly ExpiringKey[]): string | undefined {
  const [next] = keys;
  if (next === undefined) return undefined;
  const name = next.name || next.id;
  if (keys.length === 1) return `The key “${name}” of ${next.account} expires soon`;
  return `${keys.length} keys expire soon; the next is “${name}” of ${next.account}`;
}
