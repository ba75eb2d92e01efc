import type { DateLanguage } from '#fill/format/date-names.ts';
import { parseDatePattern } from '#fill/format/date-pattern.ts';
import { parseNumberPattern } from '#fill/format/number-pattern.ts';
import type { Overlay, ValueFormat, ValueSource } from '#fill/package/layout-schema.ts';
import { columnReadings } from '#fill/values/column-readings.ts';
import { compileValue, NO_NOTES } from '#fill/values/resolve-value.ts';
import { rowCells } from '../canvas/content/shown-value.ts';
import { useEditor } from '../editor/editor-store.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { common, member, setOptional } from './edit-selected.ts';
import styles from './inspector.module.css';
import { Section } from './section.tsx';
import { typingKeys, useTypedText } from './typed-text.ts';

const NUMBER_PATTERNS = ['#,##0.00', '#,##0', '0.00', '0.0#%', '000000'];
const DATE_PATTERNS = [
  'D MMMM YYYY',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'YYYY-MM-DD',
  'D MMM YYYY',
  'dddd, D MMMM YYYY',
];

const LANGUAGES: Readonly<Record<DateLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
  pl: 'Polski',
};

/** The format of a value: unchanged, a number, or a date; with an example from the preview row. */
export function FormatSection({ overlays }: { overlays: readonly Overlay[] }) {
  const format = common(overlays, member('format')) as ValueFormat | undefined;
  return (
    <Section title="Format">
      <FormatFields
        format={format}
        source={overlays[0]?.value}
        onChange={(next) => setOptional('format', 'format', next)}
      />
    </Section>
  );
}

interface FormatProps {
  readonly format: ValueFormat | undefined;
  /** The value of the example. */
  readonly source: ValueSource | undefined;
  readonly onChange: (format: ValueFormat | undefined) => void;
}

export function FormatFields({ format, source, onChange: set }: FormatProps) {
  const kind = format === undefined ? 'none' : 'number' in format ? 'number' : 'date';
  const choose = (next: string) => {
    if (next === 'none') set(undefined);
    else if (next === 'number') set({ number: '#,##0.00', decimal: '.', group: ',' });
    else set({ date: 'D MMMM YYYY' });
  };
  return (
    <>
      <SelectField
        label="Write the value as"
        hideLabel
        value={kind}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="none">As it is</option>
        <option value="number">Number</option>
        <option value="date">Date</option>
      </SelectField>
      {format !== undefined && 'number' in format && (
        <>
          <PatternField
            label="Number pattern"
            value={format.number}
            suggestions={NUMBER_PATTERNS}
            isValid={(pattern) => parseNumberPattern(pattern).ok}
            onCommit={(number) => set({ ...format, number })}
          />
          <div className={styles.pairs}>
            <SelectField
              label="Decimal mark"
              value={format.decimal}
              onChange={(event) => set({ ...format, decimal: event.target.value as '.' })}
            >
              <option value=".">1.5</option>
              <option value=",">1,5</option>
              <option value={'\u066b'}>1٫5</option>
            </SelectField>
            <SelectField
              label="Thousands"
              value={format.group}
              onChange={(event) => set({ ...format, group: event.target.value as ',' })}
            >
              <option value=",">1,000</option>
              <option value=".">1.000</option>
              <option value=" ">1 000</option>
              <option value={'\u00a0'}>1 000 (no break)</option>
              <option value={'\u202f'}>1 000 (narrow)</option>
              <option value="'">1'000</option>
              <option value={'\u2019'}>1’000</option>
              <option value="">1000</option>
            </SelectField>
          </div>
          <SelectField
            label="Numbers in the data are written"
            value={format.input_decimal ?? ''}
            onChange={(event) => {
              const { input_decimal: _, ...rest } = format;
              const sign = event.target.value;
              set(sign === '' ? rest : { ...rest, input_decimal: sign as '.' });
            }}
          >
            <option value="">As the column is</option>
            <option value=".">With a decimal point (1,234.5)</option>
            <option value=",">With a decimal comma (1.234,5)</option>
          </SelectField>
        </>
      )}
      {format !== undefined && 'date' in format && (
        <>
          <PatternField
            label="Date pattern"
            value={format.date}
            suggestions={DATE_PATTERNS}
            isValid={(pattern) => parseDatePattern(pattern).ok}
            onCommit={(date) => set({ ...format, date })}
          />
          <PatternField
            label="Dates in the data are written"
            placeholder="As the column is"
            value={format.input ?? ''}
            suggestions={DATE_PATTERNS}
            isValid={(pattern) => pattern === '' || parseDatePattern(pattern).ok}
            onCommit={(input) => {
              const { input: _, ...rest } = format;
              set(input === '' ? rest : { ...rest, input });
            }}
          />
          <SelectField
            label="Language of names"
            value={format.language ?? 'en'}
            onChange={(event) => {
              const { language: _, ...rest } = format;
              const language = event.target.value;
              set(language === 'en' ? rest : { ...rest, language: language as 'de' });
            }}
          >
            {Object.entries(LANGUAGES).map(([language, name]) => (
              <option key={language} value={language}>
                {name}
              </option>
            ))}
          </SelectField>
        </>
      )}
      {format !== undefined && <Example source={source} format={format} />}
    </>
  );
}

function Example({ source, format }: { source: ValueSource | undefined; format: ValueFormat }) {
  const cells = useEditor((editor) => editor.previewCells);
  const isOwn = source !== undefined && ('static' in source || cells.length > 0);
  const before = isOwn
    ? compileValue(source)(rowCells(cells), NO_NOTES)
    : 'number' in format
      ? '1234.5'
      : '2026-01-31';
  const rows = useEditor((editor) => editor.rows);
  const layout = useEditor((editor) => editor.project?.layout);
  const read = compileValue(
    isOwn ? source : { static: before },
    format,
    layout === undefined ? undefined : columnReadings(layout, rows?.decimalSigns),
  );
  let isUnread = false;
  const after = read(rowCells(cells), {
    note: () => {
      isUnread = true;
    },
  });
  return (
    <output className={styles.example}>
      {isUnread ? `${before} does not fit this format and is shown as it is` : `${before} → ${after}`}
    </output>
  );
}

function PatternField({
  label,
  value,
  placeholder,
  suggestions,
  isValid,
  onCommit,
}: {
  label: string;
  value: string;
  placeholder?: string;
  suggestions: readonly string[];
  isValid: (pattern: string) => boolean;
  onCommit: (pattern: string) => void;
}) {
  const typed = useTypedText({
    label,
    shown: value,
    read: (text) =>
      isValid(text) ? { value: text } : { problem: `This is not a pattern. Try ${suggestions[0]}.` },
    onCommit,
  });
  const listId = `patterns-${label.replaceAll(' ', '-')}`;
  return (
    <>
      <TextField
        label={label}
        list={listId}
        {...(placeholder === undefined ? {} : { placeholder })}
        value={typed.text}
        error={typed.problem}
        onChange={(event) => typed.setText(event.target.value)}
        onBlur={typed.commit}
        onKeyDown={typingKeys(typed)}
      />
      <datalist id={listId}>
        {suggestions.map((pattern) => (
          <option key={pattern} value={pattern} />
        ))}
      </datalist>
    </>
  );
}
