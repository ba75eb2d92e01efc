import { AlertTriangle, ArrowLeft, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { useEffect } from 'react';
import { fieldName } from '../core/overlays/field-name.ts';
import { RowStepper } from '../data/row-stepper.tsx';
import { showRow } from '../data/show-row.ts';
import { useEditor } from '../editor/editor-store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { openProblem } from './open-problem.ts';
import styles from './preview-screen.module.css';
import { useCurrentCheck, usePreview } from './preview-store.ts';

/** Chooses the row: step by step, the longest value of a field, or only rows with problems. */
export function PreviewBar() {
  const showPanel = useEditor((editor) => editor.showPanel);
  return (
    <div className={styles.bar}>
      <Button look="quiet" icon={<ArrowLeft size={16} />} onClick={() => showPanel('fields')}>
        Back to the page
      </Button>
      <RowStepper />
      <GroupStepper />
      <LongestChoice />
      <NextProblem />
    </div>
  );
}

/** Goes from document to document, if each shows several rows. */
function GroupStepper() {
  const group = usePreview(({ shown }) => (shown?.ok === true ? shown.group : undefined));
  if (group === undefined) return null;
  const show = (row: number | null) => {
    if (row !== null) void showRow(row).catch(tellError);
  };
  return (
    <div className={styles.groups}>
      <IconButton
        label="Previous group"
        resting={group.previous === null}
        onClick={() => show(group.previous)}
      >
        <ChevronsLeft size={16} />
      </IconButton>
      <span>
        Group {group.number.toLocaleString()} of {group.count.toLocaleString()}
      </span>
      <IconButton label="Next group" resting={group.next === null} onClick={() => show(group.next)}>
        <ChevronsRight size={16} />
      </IconButton>
    </div>
  );
}

function LongestChoice() {
  const layout = useEditor((editor) => editor.project?.layout);
  const longest = usePreview((preview) => preview.longest);
  if (layout === undefined || longest.length === 0) return null;
  return (
    <select
      aria-label="Go to the row with the longest value"
      className={styles.jump}
      value=""
      onChange={(event) => {
        const found = longest.find(({ id }) => id === event.target.value);
        if (found !== undefined) void showRow(found.row).catch(tellError);
      }}
    >
      <option value="">Longest value of…</option>
      {longest.map(({ id, row, characters }) => (
        <option key={id} value={id}>
          {fieldName(layout, id)}: row {row}, {characters} characters
        </option>
      ))}
    </select>
  );
}

/** `F8`: as in spreadsheets and code editors. */
const NEXT_KEY = 'F8';

function NextProblem() {
  const { report } = useCurrentCheck();
  const row = useEditor((editor) => editor.previewRow);
  const rows = report?.problemRows ?? [];
  const go = () => {
    const next = rows.find((candidate) => candidate > row) ?? rows[0];
    if (next === undefined) return tell('good', 'No rows have problems');
    const problems = report?.listed.find((listed) => listed.row === next)?.problems ?? [];
    openProblem(next, problems.find(({ id }) => id !== null)?.id ?? null).catch(tellError);
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== NEXT_KEY || rows.length === 0 || document.querySelector('dialog[open]') !== null)
        return;
      event.preventDefault();
      go();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  });
  return (
    <Button
      icon={<AlertTriangle size={15} />}
      resting={rows.length === 0}
      onClick={go}
      title={report === null ? 'Check all rows first' : undefined}
    >
      {rows.length === 0 ? 'Next problem' : `Next problem (${rows.length.toLocaleString()} rows)`}
      <kbd className={styles.key}>{NEXT_KEY}</kbd>
    </Button>
  );
}
