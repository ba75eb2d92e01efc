import { type KeyboardEvent, useId, useState } from 'react';
import styles from './inspector.module.css';

interface NumberFieldProps {
  readonly label: string;
  /** Shown inside the frame: `X`, `W`. */
  readonly mark: string;
  /** Undefined if the selected fields differ. */
  readonly value: number | undefined;
  readonly unit?: string;
  readonly step?: number;
  readonly min?: number;
  readonly max?: number;
  readonly disabled?: boolean;
  readonly format?: (value: number) => string;
  readonly parse?: (text: string) => number | undefined;
  readonly onCommit: (value: number) => void;
}

const plain = (text: string) => {
  const value = Number(text.trim().replace(',', '.').replace(/[°%]$/, ''));
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
};
const LARGE = 10;

/** A number input that commits on Enter or blur; arrow up and down step it, by ten with Shift. */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    mark,
    value,
    unit,
    step = 1,
    min = -Infinity,
    max = Infinity,
    disabled = false,
    onCommit,
  } = props;
  const { format = String, parse = plain } = props;
  const [text, setText] = useState<string | null>(null);
  const unitId = useId();
  const within = (number: number) => Math.min(max, Math.max(min, number));
  const commit = () => {
    const wanted = text === null ? undefined : parse(text);
    setText(null);
    if (wanted !== undefined && within(wanted) !== value) onCommit(within(wanted));
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape' && text !== null) {
      setText(null);
      event.stopPropagation();
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const from = (text === null ? undefined : parse(text)) ?? value;
    if (from === undefined) return;
    setText(null);
    onCommit(within(from + (event.key === 'ArrowUp' ? step : -step) * (event.shiftKey ? LARGE : 1)));
  };
  return (
    <label className={styles.number}>
      <span aria-hidden="true" className={styles.mark}>
        {mark}
      </span>
      <input
        aria-label={label}
        aria-describedby={unit === undefined ? undefined : unitId}
        inputMode="decimal"
        autoComplete="off"
        disabled={disabled}
        placeholder={value === undefined ? 'Mixed' : undefined}
        value={text ?? (value === undefined ? '' : format(value))}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        onKeyDown={onKey}
      />
      {unit !== undefined && (
        <span id={unitId} aria-hidden="true" className={styles.unit}>
          {unit}
        </span>
      )}
    </label>
  );
}
