import { useState } from 'react';
import styles from './inspector.module.css';

const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** The native colour picker accepts only six digits. */
const sixDigits = (color: string) =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color;

export function ColorField({
  label,
  value,
  onCommit,
}: {
  label: string;
  value: string | undefined;
  onCommit: (color: string) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const [picked, setPicked] = useState<string | null>(null);
  const commit = () => {
    const digits = HEX.exec(text?.trim() ?? '')?.[1];
    setText(null);
    if (digits !== undefined && `#${digits}` !== value) onCommit(`#${digits.toLowerCase()}`);
  };
  return (
    <div className={styles.color}>
      <input
        type="color"
        aria-label={`${label}: pick`}
        value={picked ?? sixDigits(value ?? '#000000')}
        onChange={(event) => setPicked(event.target.value)}
        onBlur={() => {
          if (picked !== null && picked !== value) onCommit(picked);
          setPicked(null);
        }}
      />
      <input
        aria-label={label}
        className={styles.hex}
        placeholder={value === undefined ? 'Mixed' : undefined}
        value={text ?? picked ?? value ?? ''}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
      />
    </div>
  );
}
