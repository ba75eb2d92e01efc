import { useId, useRef, useState } from 'react';
import type { ValueSource } from '#fill/package/layout-schema.ts';
import { columnsIn } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { SelectField } from '../ui/field.tsx';
import { ColumnOptions, useColumnChoices } from './column-options.tsx';
import styles from './inspector.module.css';
import { Segments } from './section.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { textUpTo, typingKeys, useTypedText } from './typed-text.ts';

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
  // Switching to a column changes nothing until a column is chosen.
  const [choosing, setChoosing] = useState(false);
  const earlier = useRef<Partial<Record<Kind, ValueSource>>>({});
  if (value !== undefined) earlier.current[kindOf(value)] = value;
  const kind = choosing ? 'column' : value === undefined ? undefined : kindOf(value);
  const set = (next: ValueSource) => {
    setChoosing(false);
    onChange(next);
  };
  const become = (next: Kind) => {
    if (next === kind) return;
    if (value !== undefined && next === kindOf(value)) {
      setChoosing(false);
      return;
    }
    const switched = earlier.current[next] ?? switchedTo(next, value);
    if (switched === undefined) setChoosing(true);
    else set(switched);
  };
  const isColumn = !choosing && value !== undefined && 'column' in value;
  return (
    <div className={styles.stack}>
      <Segments label={`${label} from`} choices={KINDS} value={kind} onChoose={become} />
      {value === undefined && !choosing && (
        <p className={styles.note}>Mixed. Choose one to set it for all.</p>
      )}
      {(choosing || isColumn) && (
        <>
          <SelectField
            label="Column"
            hideLabel
            value={isColumn ? value.column : ''}
            onChange={(event) => set({ column: event.target.value })}
          >
            {!isColumn && (
              <option value="" disabled>
                Choose a column…
              </option>
            )}
            <ColumnOptions choices={choices.length > 0 ? choices : FIRST_COLUMN} />
          </SelectField>
          {choices.length <= 1 && (
            <button type="button" className={styles.link} onClick={() => showPanel('data')}>
              Add a rows file to choose from its columns
            </button>
          )}
        </>
      )}
      {!choosing && value !== undefined && 'static' in value && (
        <FixedText value={value.static} onCommit={(text) => onChange({ static: text })} />
      )}
      {!choosing && value !== undefined && 'template' in value && (
        <TemplateEditor template={value.template} onCommit={(template) => onChange({ template })} />
      )}
    </div>
  );
}

/** Without a rows file and without labels there is at least a first column. */
const FIRST_COLUMN = [{ key: 'column_0', words: 'Column 1' }];

/** What a value becomes when its kind is switched. It keeps what can be kept and never adds a text of its own. */
function switchedTo(next: Kind, value: ValueSource | undefined): ValueSource | undefined {
  const [column] = columnsIn(value);
  if (next === 'column') return column === undefined ? undefined : { column };
  if (next === 'template')
    return {
      template:
        column !== undefined
          ? `{{${column}}}`
          : value !== undefined && 'static' in value
            ? plain(value.static)
            : '',
    };
  return { static: value !== undefined && 'template' in value && column === undefined ? value.template : '' };
}

/** Double braces have a meaning in a template. */
const plain = (text: string) => (/\{\{|\}\}/.test(text) ? '' : text);

/** A text area that commits on blur or Enter, so that typing is one history entry. */
function FixedText({ value, onCommit }: { value: string; onCommit: (text: string) => void }) {
  const noteId = useId();
  const typed = useTypedText({ label: 'Text', shown: value, read: textUpTo(10_000), onCommit });
  const keys = typingKeys(typed);
  return (
    <>
      <textarea
        aria-label="Text"
        aria-invalid={typed.problem !== undefined}
        aria-describedby={typed.problem === undefined ? undefined : noteId}
        data-value-input=""
        className={styles.area}
        rows={2}
        value={typed.text}
        onChange={(event) => typed.setText(event.target.value)}
        onBlur={typed.commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.shiftKey) return;
          if (event.key === 'Enter') event.preventDefault();
          keys(event);
        }}
      />
      {typed.problem !== undefined && (
        <p id={noteId} role="alert" className={styles.problem}>
          {typed.problem}
        </p>
      )}
    </>
  );
}
