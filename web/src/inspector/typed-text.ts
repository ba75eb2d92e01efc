import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { tell } from '../ui/messages.tsx';

/** What a typed text means: a value, or the reason why it cannot be used. */
export type Reading<Value> = { readonly value: Value } | { readonly problem: string };

interface TypedTextProps<Value> {
  /** The input's label. Messages name it. */
  readonly label: string;
  /** The text of the present value. */
  readonly shown: string;
  readonly read: (text: string) => Reading<Value>;
  /** Called only with a text that differs from `shown`. */
  readonly onCommit: (value: Value) => void;
}

export interface TypedText {
  readonly text: string;
  /** Whether the text differs from the present value and is not committed yet. */
  readonly isTyping: boolean;
  /** Why the text was not accepted; shown from the first attempt to commit it until it is valid. */
  readonly problem: string | undefined;
  setText(text: string): void;
  commit(): void;
  /** Replaces the text and commits it. */
  commitText(text: string): void;
  discard(): void;
}

/**
 * Holds what a person types until it is committed. A text that cannot be used stays in the input, with the reason. If the
 * input disappears before the text was corrected, a message says that it was not applied. Typed text is never lost silently.
 */
export function useTypedText<Value>({ label, shown, read, onCommit }: TypedTextProps<Value>): TypedText {
  const [typed, setTyped] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const reading = isTried && typed !== null ? read(typed) : undefined;
  const problem = reading !== undefined && 'problem' in reading ? reading.problem : undefined;
  const lost = useRef<string | undefined>(undefined);
  lost.current = problem === undefined ? undefined : `“${typed}” was not applied to ${label}. ${problem}`;
  useEffect(
    () => () => {
      if (lost.current !== undefined) tell('bad', lost.current);
    },
    [],
  );
  const discard = () => {
    setTyped(null);
    setTried(false);
  };
  const commitText = (text: string) => {
    const result = text === shown ? null : read(text);
    if (result !== null && 'problem' in result) {
      setTyped(text);
      setTried(true);
      return;
    }
    discard();
    if (result !== null) onCommit(result.value);
  };
  return {
    text: typed ?? shown,
    isTyping: typed !== null,
    problem,
    setText: setTyped,
    discard,
    commitText,
    commit: () => {
      if (typed !== null) commitText(typed);
    },
  };
}

/** Enter commits, Escape restores the present value. */
export function typingKeys(typed: TypedText) {
  return (event: KeyboardEvent) => {
    if (event.key === 'Enter') typed.commit();
    if (event.key !== 'Escape' || !typed.isTyping) return;
    typed.discard();
    event.stopPropagation();
  };
}

/** Accepts any text up to a length. */
export const textUpTo =
  (most: number) =>
  (text: string): Reading<string> =>
    text.length <= most
      ? { value: text }
      : {
          problem: `Enter at most ${most.toLocaleString('en')} characters; this has ${text.length.toLocaleString('en')}.`,
        };

/** The attributes of a text field that edits a typed text. */
export const typedInput = (typed: TypedText) => ({
  error: typed.problem,
  value: typed.text,
  onChange: (event: ChangeEvent<HTMLInputElement>) => typed.setText(event.target.value),
  onBlur: typed.commit,
  onKeyDown: typingKeys(typed),
});
