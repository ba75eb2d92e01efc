import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import styles from './combobox.module.css';
import field from './field.module.css';

export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  /** Options with the same group stand under one heading. */
  readonly group?: string | undefined;
}

interface ComboboxProps {
  readonly label: string;
  /** The text in the input: what was typed, or the label of the chosen option. */
  readonly text: string;
  /** The options that the text finds, the best first. */
  readonly options: readonly ComboboxOption[];
  readonly chosen: string | undefined;
  readonly placeholder?: string;
  readonly error?: string | undefined;
  readonly onType: (text: string) => void;
  readonly onChoose: (value: string) => void;
  /** Enter without a marked option, or leaving the input. */
  readonly onCommit: () => void;
  readonly onEscape: () => void;
}

/** A text input with a list of options (ARIA 1.2 combobox with a listbox popup). */
export function Combobox(props: ComboboxProps) {
  const { label, text, options, chosen, placeholder, error, onType, onChoose, onCommit, onEscape } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isTyping, setTyping] = useState(false);
  const [marked, setMarked] = useState<string | null>(null);
  const optionId = (value: string) => `${id}-${value}`;
  const isShown = isOpen && options.length > 0;
  // While a person types, the best option is marked, so that Enter takes it.
  const best = isTyping ? (options[0]?.value ?? null) : null;
  const active = !isShown ? null : options.some(({ value }) => value === marked) ? marked : best;
  useEffect(() => {
    if (!isShown) return;
    const wanted = active ?? chosen;
    list.current
      ?.querySelector(wanted === undefined ? '[role=option]' : `[data-value="${CSS.escape(wanted)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [isShown, active, chosen]);
  const close = () => {
    setOpen(false);
    setTyping(false);
    setMarked(null);
  };
  const choose = (value: string) => {
    close();
    onChoose(value);
  };
  const step = (by: number) => {
    const at = options.findIndex(({ value }) => value === (active ?? chosen));
    const next = active === null && at < 0 ? (by > 0 ? 0 : options.length - 1) : at + (isShown ? by : 0);
    setOpen(true);
    setMarked(options[(next + options.length) % options.length]?.value ?? null);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && active !== null) choose(active);
    else if (event.key === 'Enter') {
      close();
      onCommit();
    } else if (event.key === 'Escape' && isShown) {
      close();
      event.stopPropagation();
    } else if (event.key === 'Escape') {
      onEscape();
      return;
    } else return;
    event.preventDefault();
  };
  const groups = [...Map.groupBy(options, ({ group }) => group)];
  return (
    <div className={field.field}>
      <label htmlFor={`${id}-input`} className={field.label}>
        {label}
      </label>
      <div className={styles.frame}>
        <input
          id={`${id}-input`}
          type="text"
          role="combobox"
          autoComplete="off"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active === null ? undefined : optionId(active)}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          className={field.input}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            setOpen(true);
            setTyping(true);
            setMarked(null);
            onType(event.target.value);
          }}
          onFocus={(event) => event.target.select()}
          onClick={() => setOpen(true)}
          onBlur={() => {
            close();
            onCommit();
          }}
          onKeyDown={onKey}
        />
        <ChevronDown size={14} aria-hidden="true" className={styles.arrow} />
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          hidden={!isShown}
          className={styles.list}
          // Keeps the focus in the input.
          onPointerDown={(event) => event.preventDefault()}
        >
          {isShown &&
            groups.map(([group, members], index) => (
              // biome-ignore lint/a11y/useSemanticElements: options of a listbox cannot be in a fieldset
              <div key={group ?? ''} role="group" aria-labelledby={`${id}-group-${index}`}>
                <div id={`${id}-group-${index}`} className={styles.heading} role="presentation">
                  {group}
                </div>
                {members.map((option) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
                  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
                  <div
                    key={option.value}
                    id={optionId(option.value)}
                    role="option"
                    data-value={option.value}
                    aria-selected={option.value === chosen}
                    data-marked={option.value === active || undefined}
                    className={styles.option}
                    onClick={() => choose(option.value)}
                  >
                    {option.label}
                  </div>
                ))}
              </div>
            ))}
        </div>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={field.error}>
          {error}
        </p>
      )}
    </div>
  );
}
