/**
 * Undo and redo over immutable values. An entry keeps the value before and after one gesture; values share unchanged
 * parts, so an entry costs only what the gesture changed. Every entry has a name that is shown and announced.
 */
export interface HistoryEntry<Value, Companion = never> {
  readonly label: string;
  readonly before: Value;
  readonly after: Value;
  /** Other state that the gesture replaced together with the value, and that undo restores. */
  readonly companion?: { readonly before: Companion; readonly after: Companion };
}

export interface History<Value, Companion = never> {
  readonly past: readonly HistoryEntry<Value, Companion>[];
  readonly future: readonly HistoryEntry<Value, Companion>[];
}

export const MAX_ENTRIES = 500;

export const emptyHistory = <Value, Companion = never>(): History<Value, Companion> => ({
  past: [],
  future: [],
});

export function record<Value, Companion>(
  history: History<Value, Companion>,
  entry: HistoryEntry<Value, Companion>,
): History<Value, Companion> {
  return { past: [...history.past, entry].slice(-MAX_ENTRIES), future: [] };
}

/** Changes every value that undo and redo can restore. */
export function rewrite<Value, Companion>(
  { past, future }: History<Value, Companion>,
  update: (value: Value) => Value,
): History<Value, Companion> {
  const each = (entry: HistoryEntry<Value, Companion>) => ({
    ...entry,
    before: update(entry.before),
    after: update(entry.after),
  });
  return { past: past.map(each), future: future.map(each) };
}

interface Step<Value, Companion> {
  readonly history: History<Value, Companion>;
  readonly entry: HistoryEntry<Value, Companion>;
}

export function undo<Value, Companion>(history: History<Value, Companion>): Step<Value, Companion> | null {
  const entry = history.past.at(-1);
  if (entry === undefined) return null;
  return { entry, history: { past: history.past.slice(0, -1), future: [entry, ...history.future] } };
}

export function redo<Value, Companion>(history: History<Value, Companion>): Step<Value, Companion> | null {
  const [entry, ...rest] = history.future;
  if (entry === undefined) return null;
  return { entry, history: { past: [...history.past, entry], future: rest } };
}
