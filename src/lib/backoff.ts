/** Delay before retry number `attempt` (from 1): doubles from `firstMs`, never above `maxMs`. */
export function backoffMs(attempt: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30));
}
