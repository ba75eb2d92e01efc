import { type KeyboardEvent, useId } from 'react';
import styles from './inspector.module.css';
import { type NumberLimits, plainNumber, readNumber } from './read-number.ts';
import { typingKeys, useTypedText } from './typed-text.ts';

interface NumberFieldProps extends NumberLimits {
  readonly label: string;
  /** Shown inside the frame: `X`, `W`. */
  readonly mark: string;
  /** Undefined if the selected fields differ. */
  readonly value: number | undefined;
  readonly step?: number;
  readonly disabled?: boolean;
  readonly onCommit: (value: number) => void;
}

const LARGE = 10;

/** A number input that commits on Enter or blur; arrow up and down step it, by ten with Shift. */
export function NumberField(props: NumberFieldProps) {
  const { label, mark, value, unit, step = 1, min = -Infinity, max = Infinity, disabled = false } = props;
  const { format = String, parse = plainNumber, onCommit } = props;
  const id = useId();
  const within = (number: number) => Math.min(max, Math.max(min, number));
  const typed = useTypedText({
    label,
    shown: value === undefined ? '' : format(value),
    read: (text) => readNumber(text, props),
    onCommit: (wanted) => {
      if (wanted !== value) onCommit(wanted);
    },
  });
  const keys = typingKeys(typed);
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    keys(event);
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const from = (typed.isTyping ? parse(typed.text) : undefined) ?? value;
    if (from === undefined) return;
    typed.discard();
    onCommit(within(from + (event.key === 'ArrowUp' ? step : -step) * (event.shiftKey ? LARGE : 1)));
  };
  const isWrong = typed.problem !== undefined;
  const describedBy = [unit !== undefined && `${id}-unit`, isWrong && `${id}-problem`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={styles.numberField}>
      <label className={styles.number} data-invalid={isWrong || undefined}>
        <span aria-hidden="true" className={styles.mark}>
          {mark}
        </span>
        <input
          aria-label={label}
          aria-describedby={describedBy === '' ? undefined : describedBy}
          aria-invalid={isWrong}
          inputMode="decimal"
          autoComplete="off"
          disabled={disabled}
          placeholder={value === undefined ? 'Mixed' : undefined}
          value={typed.text}
          onChange={(event) => typed.setText(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={typed.commit}
          onKeyDown={onKey}
        />
        {unit !== undefined && (
          <span id={`${id}-unit`} aria-hidden="true" className={styles.unit}>
            {unit}
          </span>
        )}
      </label>
      {isWrong && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {typed.problem}
        </p>
      )}
    </div>
  );
}
