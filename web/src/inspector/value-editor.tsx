import { useId, useRef, useState } from 'react';
import type { ValueSource } from '#fill/package/layout-schema.ts';
import { parseTemplate } from '#fill/package/template.ts';
import { columnsIn } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { SelectField } from '../ui/field.tsx';
import { ColumnOptions, useColumnChoices } from './column-options.tsx';
import styles from './inspector.module.css';
import { Segments } from './section.tsx';

type Kind = 'static' | 'column' | 'template';
const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'column', label: 'Column' },
  { value: 'static', label: 'Fixed text' },
  { value: 'template', label: 'Template' },
];
const kindOf = (value: ValueSource): Kind =>
  'column' in value ? 'column' : 'static' in value ? 'static' : 'template';

interface Props {
  /** Undefined if the selected fields differ, or have no value yet. */
  readonly value: ValueSource | undefined;
  readonly label?: string;
  readonly onChange: (value: ValueSource) => void;
}

/** Edits the source of a value: a column, a fixed text, or a text with columns in it. */
export function ValueEditor({ value, label = 'Value', onChange }: Props) {
  const choices = useColumnChoices(columnsIn(value));
  const showPanel = useEditor((editor) => editor.showPanel);
  const kind = value === undefined ? undefined : kindOf(value);
  const become = (next: Kind) => {
    if (next === kind) return;
    const [first] = choices;
    if (next === 'column') onChange({ column: columnsIn(value)[0] ?? first?.key ?? 'column_0' });
    else if (next === 'static')
      onChange({ static: value !== undefined && 'template' in value ? '' : 'Text' });
    else onChange({ template: value !== undefined && 'column' in value ? `{{${value.column}}}` : 'Dear ' });
  };
  return (
    <div className={styles.stack}>
      <Segments label={`${label} from`} choices={KINDS} value={kind} onChoose={become} />
      {value === undefined && <p className={styles.note}>Mixed. Choose one to set it for all.</p>}
      {value !== undefined && 'column' in value && (
        <>
          <SelectField
            label="Column"
            hideLabel
            value={value.column}
            onChange={(event) => onChange({ column: event.target.value })}
          >
            <ColumnOptions choices={choices} />
          </SelectField>
          {choices.length <= 1 && (
            <button type="button" className={styles.link} onClick={() => showPanel('data')}>
              Add a rows file to choose from its columns
            </button>
          )}
        </>
      )}
      {value !== undefined && 'static' in value && (
        <CommittedText label="Text" value={value.static} onCommit={(text) => onChange({ static: text })} />
      )}
      {value !== undefined && 'template' in value && (
        <TemplateEditor template={value.template} onCommit={(template) => onChange({ template })} />
      )}
    </div>
  );
}

/** A text area that commits on blur or Ctrl+Enter, so that typing is one history entry. */
function CommittedText({
  label,
  value,
  onCommit,
}: {
  label: string;
  value: string;
  onCommit: (text: string) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    if (text !== null && text !== value) onCommit(text);
    setText(null);
  };
  return (
    <textarea
      aria-label={label}
      data-value-input=""
      className={styles.area}
      rows={2}
      maxLength={10_000}
      value={text ?? value}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.shiftKey) {
          event.preventDefault();
          commit();
        }
        if (event.key !== 'Escape' || text === null) return;
        setText(null);
        event.stopPropagation();
      }}
    />
  );
}

function TemplateEditor({ template, onCommit }: { template: string; onCommit: (template: string) => void }) {
  const [text, setText] = useState<string | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const shown = text ?? template;
  const choices = useColumnChoices(columnsIn({ template }));
  const isValid = parseTemplate(shown).ok;
  const commit = (next: string) => {
    if (!parseTemplate(next).ok) return;
    setText(null);
    if (next !== template) onCommit(next);
  };
  const insert = (key: string) => {
    const at = area.current?.selectionStart ?? shown.length;
    commit(`${shown.slice(0, at)}{{${key}}}${shown.slice(area.current?.selectionEnd ?? at)}`);
  };
  return (
    <>
      <textarea
        ref={area}
        aria-label="Text with columns"
        aria-invalid={!isValid}
        aria-describedby={noteId}
        data-value-input=""
        className={styles.area}
        rows={3}
        maxLength={10_000}
        value={shown}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => commit(shown)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === null) return;
          setText(null);
          event.stopPropagation();
        }}
      />
      <p id={noteId} className={isValid ? styles.note : styles.problem}>
        {isValid
          ? 'A column stands in double braces: {{column_0}}'
          : 'Only {{column_0}}, {{column_1}}, … may stand in double braces.'}
      </p>
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
