import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

interface Labelled {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

/** A form control with a label above it (for screen readers only if `hideLabel`) and a hint or an error below it. */
function Around({
  label,
  hint,
  error,
  hideLabel = false,
  controlId,
  children,
}: Labelled & { hideLabel?: boolean; controlId: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={controlId} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children}
      {error !== undefined && (
        <p id={`${controlId}-note`} role="alert" className={styles.error}>
          {error}
        </p>
      )}
      {error === undefined && hint !== undefined && (
        <p id={`${controlId}-note`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = InputHTMLAttributes<HTMLInputElement> &
  Labelled & {
    readonly hideLabel?: boolean;
    readonly unit?: string | undefined;
    /** Marks a wrong input whose message is elsewhere. */
    readonly mark?: { readonly 'aria-invalid': boolean; readonly 'aria-describedby'?: string } | undefined;
  };

export function TextField({ label, hint, error, hideLabel = false, unit, mark, ...rest }: TextFieldProps) {
  const id = useId();
  const noted = hint !== undefined || error !== undefined;
  return (
    <Around label={label} hint={hint} error={error} hideLabel={hideLabel} controlId={id}>
      <span className={styles.frame}>
        <input
          autoComplete="off"
          {...rest}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={noted ? `${id}-note` : rest['aria-describedby']}
          {...mark}
          className={styles.input}
        />
        {unit !== undefined && <span className={styles.unit}>{unit}</span>}
      </span>
    </Around>
  );
}

type SelectFieldProps = SelectHTMLAttributes<HTMLSelectElement> & Labelled & { readonly hideLabel?: boolean };

export function SelectField({ label, hint, error, hideLabel = false, children, ...rest }: SelectFieldProps) {
  const id = useId();
  const noted = hint !== undefined || error !== undefined;
  return (
    <Around label={label} hint={hint} error={error} hideLabel={hideLabel} controlId={id}>
      <select
        {...rest}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={noted ? `${id}-note` : undefined}
        className={styles.select}
      >
        {children}
      </select>
    </Around>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Switch({ label, hint, checked, disabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>
        {label}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </label>
    </div>
  );
}
