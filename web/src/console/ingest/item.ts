export interface ListedItem {
  readonly source_id: string;
  readonly source_version: number | null;
  readonly state: 'ACTIVE' | 'INACTIVE';
  readonly changes: number;
  readonly warehouse_id: string | null;
  readonly correlation_id: string;
  readonly updated_at: string;
}

export interface Item {
  readonly source_id: string;
  readonly internal_id: string;
  readonly source_version: number | null;
  readonly state: 'ACTIVE' | 'INACTIVE';
  readonly item: Readonly<Record<string, unknown>>;
  readonly updated_at: string;
}

/** One change of an item. */
export interface Change {
  readonly change: 'CREATED' | 'UPDATED' | 'TOMBSTONED' | 'REACTIVATED';
  readonly number: number;
  readonly correlation_id: string;
  readonly source_version: number | null;
  readonly changed_at: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  /** Its bodies are past the audit time and gone. */
  readonly archived: boolean;
}

/** Members that a change touched, by name. */
export function changedMembers({ before, after }: Pick<Change, 'before' | 'after'>): readonly string[] {
  if (before === null || after === null) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).sort();
}
