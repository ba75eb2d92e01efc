import { ColorField } from '../../inspector/color-field.tsx';
import { type NumberLimits, readNumber } from '../../inspector/read-number.ts';
import { type Reading, typedInput, useTypedText } from '../../inspector/typed-text.ts';
import { Switch, TextField } from '../../ui/field.tsx';
import styles from './table-section.module.css';

interface OptionalNumberProps extends NumberLimits {
  readonly label: string;
  readonly hint?: string;
  /** What applies while the input is empty. */
  readonly placeholder: string;
  readonly value: number | undefined;
  readonly onCommit: (value: number | undefined) => void;
}

/** A number that can be left out. */
export function OptionalNumber({
  label,
  hint,
  placeholder,
  value,
  onCommit,
  ...limits
}: OptionalNumberProps) {
  const { unit, format = String } = limits;
  const typed = useTypedText<number | undefined>({
    label,
    shown: value === undefined ? '' : format(value),
    read: (text): Reading<number | undefined> =>
      text.trim() === '' ? { value: undefined } : readNumber(text, limits),
    onCommit,
  });
  return (
    <TextField
      label={label}
      hint={hint}
      unit={unit}
      inputMode="decimal"
      placeholder={placeholder}
      {...typedInput(typed)}
    />
  );
}

/** A colour with a visible label. */
export function NamedColor(props: {
  label: string;
  value: string | undefined;
  onCommit: (color: string) => void;
}) {
  return (
    <div className={styles.named}>
      <span aria-hidden="true">{props.label}</span>
      <ColorField {...props} />
    </div>
  );
}

/** A colour that can be left out. */
export function OptionalColor({
  label,
  colorLabel,
  value,
  start,
  onCommit,
}: {
  /** Of the switch. */
  label: string;
  colorLabel: string;
  value: string | undefined;
  /** The colour when it is switched on. */
  start: string;
  onCommit: (color: string | undefined) => void;
}) {
  return (
    <>
      <Switch
        label={label}
        checked={value !== undefined}
        onChange={(on) => onCommit(on ? start : undefined)}
      />
      {value !== undefined && <ColorField label={colorLabel} value={value} onCommit={onCommit} />}
    </>
  );
}
