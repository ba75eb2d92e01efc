/**
 * Undo and redo over immutable values: an entry keeps the value before and after one gesture, and since the values
 * share what did not change, an entry costs what the gesture changed. Every entry has a name that is shown and said.
 */
export interface HistoryEntry<Value> {
  readonly label: string;
  readonly before: Value;
  readonly after: Value;
}

export interface History<Value> {
  readonly past: readonly HistoryEntry<Value>[];
  readonly future: readonly HistoryEntry<Value>[];
}

export const MAX_ENTRIES = 500;

export const emptyHistory = <Value>(): History<Value> => ({ past: [], future: [] });

export function record<Value>(history: History<Value>, entry: HistoryEntry<Value>): History<Value> {
  return { past: [...history.past, entry].slice(-MAX_ENTRIES), future: [] };
}

export function undo<Value>(
  history: History<Value>,
): { history: History<Value>; entry: HistoryEntry<Value> } | null {
  const entry = history.past.at(-1);
  if (entry === undefined) return null;
  return { entry, history: { past: history.past.slice(0, -1), future: [entry, ...history.future] } };
}

export function redo<Value>(
  history: History<Value>,
): { history: History<Value>; entry: HistoryEntry<Value> } | null {
  const [entry, ...rest] = history.future;
  if (entry === undefined) return null;
  return { entry, history: { past: [...history.past, entry], future: rest } };
}
