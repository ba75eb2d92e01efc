import type { RowsInfo, RowsReading } from '../project/project.ts';
import { SelectField, Switch } from '../ui/field.tsx';
import styles from './data-panel.module.css';
import { encodingsWith } from './encodings.ts';

const DELIMITERS: readonly (readonly [string, string])[] = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Bar'],
];

interface ReadingOptionsProps {
  readonly rows: RowsInfo;
  readonly reading: RowsReading;
  readonly onChange: (reading: RowsReading) => void;
}

/** Shows and changes how the file is read. */
export function ReadingOptions({ rows, reading, onChange }: ReadingOptionsProps) {
  return (
    <div className={styles.reading}>
      {rows.kind === 'csv' && (
        <div className={styles.pair}>
          <SelectField
            label="Delimiter"
            value={rows.delimiter ?? ','}
            onChange={(event) => onChange({ ...reading, delimiter: event.target.value, columns: null })}
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
            onChange={(event) => onChange({ ...reading, encoding: event.target.value, columns: null })}
          >
            {encodingsWith(rows.encoding).map(([value, name]) => (
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
