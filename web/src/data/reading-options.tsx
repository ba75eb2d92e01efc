import type { RowsInfo, RowsReading } from '../editor/project.ts';
import { SelectField, Switch } from '../ui/field.tsx';
import styles from './data-panel.module.css';

const DELIMITERS: readonly (readonly [string, string])[] = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Bar'],
];
/** Nothing but what a byte order mark tells is ever guessed; the last two are a person's choice. */
const ENCODINGS: readonly (readonly [string, string])[] = [
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16 BE'],
  ['windows-1252', 'Western (Latin-1)'],
  ['iso-8859-2', 'Central European'],
];

interface ReadingOptionsProps {
  readonly rows: RowsInfo;
  readonly reading: RowsReading;
  readonly onChange: (reading: RowsReading) => void;
}

/** How the file was read, shown and changeable. */
export function ReadingOptions({ rows, reading, onChange }: ReadingOptionsProps) {
  return (
    <div className={styles.reading}>
      {rows.kind === 'csv' && (
        <div className={styles.pair}>
          <SelectField
            label="Delimiter"
            value={rows.delimiter ?? ','}
            onChange={(event) => onChange({ ...reading, delimiter: event.target.value })}
          >
            {DELIMITERS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Encoding"
            value={rows.encoding ?? 'utf-8'}
            onChange={(event) => onChange({ ...reading, encoding: event.target.value })}
          >
            {ENCODINGS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {rows.kind === 'xlsx' && (
        <Switch
          label="Cells as shown"
          hint="Off: plain numbers, dates as 2026-01-31, true and false."
          checked={reading.cells !== 'raw'}
          onChange={(shown) => onChange({ ...reading, cells: shown ? 'shown' : 'raw' })}
        />
      )}
      <Switch
        label="First row is a header"
        hint="It names the columns and is not printed."
        checked={reading.header}
        onChange={(header) => onChange({ ...reading, header })}
      />
    </div>
  );
}
