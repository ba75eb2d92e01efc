import { useId, useRef } from 'react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { fromLabels, withLabels } from '../core/overlays/template-labels.ts';
import { columnName, columnsIn } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { ColumnOptions, useColumnChoices } from './column-options.tsx';
import styles from './inspector.module.css';
import { typingKeys, useTypedText } from './typed-text.ts';

const NO_COLUMNS: Pick<Layout, 'columns'> = { columns: [] };

/** Edits a text with columns in it. Columns are written by their names and stored by their keys. */
export function TemplateEditor({
  template,
  onCommit,
}: {
  template: string;
  onCommit: (template: string) => void;
}) {
  const layout = useEditor((editor) => editor.project?.layout);
  const area = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const choices = useColumnChoices(columnsIn({ template }));
  const typed = useTypedText({
    label: 'Text with columns',
    shown: withLabels(layout ?? NO_COLUMNS, template),
    read: (text) => fromLabels(layout ?? NO_COLUMNS, text),
    onCommit: (next) => {
      if (next !== template) onCommit(next);
    },
  });
  const insert = (key: string) => {
    const { text } = typed;
    const at = area.current?.selectionStart ?? text.length;
    const column = withLabels(layout ?? NO_COLUMNS, `{{${key}}}`);
    typed.commitText(`${text.slice(0, at)}${column}${text.slice(area.current?.selectionEnd ?? at)}`);
  };
  const keys = typingKeys(typed);
  const [first] = choices;
  const example = layout === undefined || first === undefined ? 'column_0' : columnName(layout, first.key);
  return (
    <>
      <textarea
        ref={area}
        aria-label="Text with columns"
        aria-invalid={typed.problem !== undefined}
        aria-describedby={noteId}
        data-value-input=""
        className={styles.area}
        rows={3}
        value={typed.text}
        onChange={(event) => typed.setText(event.target.value)}
        onBlur={typed.commit}
        onKeyDown={(event) => {
          // A template may have several lines.
          if (event.key !== 'Enter') keys(event);
        }}
      />
      {typed.problem === undefined ? (
        <p id={noteId} className={styles.note}>
          Write a column in double braces: {`{{${example}}}`}
        </p>
      ) : (
        <p id={noteId} role="alert" className={styles.problem}>
          {typed.problem}
        </p>
      )}
      <select
        aria-label="Insert a column"
        className={styles.select}
        value=""
        onChange={(event) => insert(event.target.value)}
      >
        <option value="" disabled>
          Insert a column…
        </option>
        <ColumnOptions choices={choices} />
      </select>
    </>
  );
}
