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
  /** Runs when the main button, which must have `type="submit"`, is pressed, or Enter in a field. */
  readonly onSubmit?: () => void;
  /** The content is a short question, which screen readers read as a whole when the dialog opens. */
  readonly question?: boolean;
}

/**
 * The browser's own modal dialog: focus stays inside, Escape closes, and the page behind is inert. The focus starts at the first field, or at the title if
 * there is none, because the first tab stop is the close button, which does not describe the dialog.
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
