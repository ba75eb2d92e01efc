import { useId, useState } from 'react';
import styles from './inspector.module.css';
import { type Reading, typingKeys, useTypedText } from './typed-text.ts';

const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;

function readColor(text: string): Reading<string> {
  const digits = HEX.exec(text.trim())?.[1];
  return digits === undefined
    ? { problem: 'Enter three or six hexadecimal digits, for example #1a73e8.' }
    : { value: `#${digits.toLowerCase()}` };
}

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
  const [picked, setPicked] = useState<string | null>(null);
  const problemId = useId();
  const typed = useTypedText({ label, shown: picked ?? value ?? '', read: readColor, onCommit });
  const isWrong = typed.problem !== undefined;
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
        aria-invalid={isWrong}
        aria-describedby={isWrong ? problemId : undefined}
        value={typed.text}
        onChange={(event) => typed.setText(event.target.value)}
        onBlur={typed.commit}
        onKeyDown={typingKeys(typed)}
      />
      {isWrong && (
        <p id={problemId} role="alert" className={styles.problem}>
          {typed.problem}
        </p>
      )}
    </div>
  );
}
