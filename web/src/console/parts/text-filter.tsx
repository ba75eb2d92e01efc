import { useEffect, useId, useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import styles from './text-filter.module.css';

const PAUSE_MS = 300;

/** A text filter. It applies when typing pauses, or at once on Enter. */
export function TextFilter({
  label,
  help,
  value,
  onChange,
}: {
  label: string;
  /** What can be searched; shown below the empty field while it has the focus. */
  help?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const helpId = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <div className={styles.text}>
      <TextField
        hideLabel
        type="search"
        label={label}
        placeholder={label}
        aria-describedby={help === undefined ? undefined : helpId}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && onChange(typed.trim())}
      />
      {help !== undefined && (
        <p id={helpId} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  );
}
