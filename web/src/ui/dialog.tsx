import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { rememberOpener, standOn } from './keep-focus.ts';
import { MessagesInDialog } from './messages.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the foot; the last one is the main one. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** What the main button does, which has `type="submit"` then: Enter in a field does it too. */
  readonly onSubmit?: () => void;
  /** Short enough to be said whole when it opens: a question, with what hangs on the answer. */
  readonly question?: boolean;
}

/**
 * The browser's own modal dialog: focus stays inside, Escape closes, and the page behind is inert. It begins at its first
 * field, or at its title if there is none: the first thing Tab finds is the button that closes it, which tells nobody anything.
 */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  wide = false,
  onSubmit,
  question = false,
}: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = box.current;
    if (dialog === null) return;
    rememberOpener(dialog);
    dialog.showModal();
    standOn(dialog.querySelector(':is(input, select, textarea):not([hidden])') ?? dialog.querySelector('h2'));
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  const content = (
    <>
      <div id={`${titleId}-body`} className={styles.body}>
        {children}
      </div>
      {actions !== undefined && <div className={styles.foot}>{actions}</div>}
    </>
  );
  return (
    <dialog
      ref={box}
      aria-labelledby={titleId}
      aria-describedby={question ? `${titleId}-body` : undefined}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      onClose={onClose}
    >
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <IconButton label="Close" onClick={() => box.current?.close()}>
          <X size={16} />
        </IconButton>
      </div>
      {onSubmit === undefined ? (
        content
      ) : (
        <form noValidate className={styles.form} onSubmit={submit}>
          {content}
        </form>
      )}
      <MessagesInDialog />
    </dialog>
  );
}
