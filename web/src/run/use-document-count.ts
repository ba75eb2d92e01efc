import { useEffect, useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { useWork } from '../project/work-store.ts';
import { rangeOf } from './run-choices.ts';

/** How many documents the next run makes. */
export interface DocumentCount {
  /** Null while groups are counted. */
  readonly count: number | null;
  /** Why rows cannot be grouped. */
  readonly refused: string | null;
}

const COUNTING: DocumentCount = { count: null, refused: null };

export function useDocumentCount(): DocumentCount {
  const rows = useEditor((editor) => editor.rows);
  const run = useWork((work) => work.run);
  const { groupBy } = run;
  const rowCount = rows?.rowCount ?? 0;
  const [grouped, setGrouped] = useState(COUNTING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other groups
  useEffect(() => {
    setGrouped(COUNTING);
    if (groupBy.length === 0 || rowCount === 0) return;
    let gone = false;
    const show = (counted: DocumentCount) => {
      if (!gone) setGrouped(counted);
    };
    engine.groupsOf(groupBy, [[1, rowCount]]).then(
      (found) =>
        show(found.ok ? { count: found.count, refused: null } : { count: null, refused: found.message }),
      (error: unknown) =>
        show({ count: null, refused: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      gone = true;
    };
  }, [rows, groupBy]);
  if (groupBy.length > 0) return grouped;
  const { from, to } = rangeOf(run, rowCount);
  return { count: Math.max(0, to - from + 1), refused: null };
}
