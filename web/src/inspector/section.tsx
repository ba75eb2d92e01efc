import { type ReactNode, useId } from 'react';
import styles from './inspector.module.css';

export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <header className={styles.sectionHead}>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly icon?: ReactNode;
}

/** A few choices side by side; none is pressed if the selected fields differ. */
export function Segments<Value extends string>({
  label,
  choices,
  value,
  onChoose,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | undefined;
  onChoose: (value: Value) => void;
}) {
  return (
    <fieldset className={styles.segments}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-label={choice.icon === undefined ? undefined : `${label}: ${choice.label}`}
          title={choice.label}
          aria-pressed={value === choice.value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.icon ?? choice.label}
        </button>
      ))}
    </fieldset>
  );
}
