import type { ExpiringKey } from '#console/contract/keys.ts';
/** One sentence about keys that expire soon; undefined if there are none. */
export function expiryNotice(keys: readonly ExpiringKey[]): string | undefined {
  const [next] = keys;
  if (next === undefined) return undefined;
  const name = next.name || next.id;
  if (keys.length === 1) return `The key “${name}” of ${next.account} expires soon`;
  return `${keys.length} keys expire soon; the next is “${name}” of ${next.account}`;
}
