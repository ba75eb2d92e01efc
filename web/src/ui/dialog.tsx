import { X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import buttons from './button.module.css';
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
  /** A drawer at the side of the window instead of a box in its middle. */
  readonly side?: boolean;
  /** Runs when the main button, which must have `type="submit"`, is pressed, or Enter in a field. */
  readonly onSubmit?: () => void;
  /** The content is a short question, which screen readers read as a whole when the dialog opens. */
  readonly question?: boolean;
}

/** Elements that use Enter themselves. */
const USES_ENTER = 'button, a, summary, textarea, [contenteditable], [role=option], [role=combobox]';

/**
 * Enter presses the main button, wherever the focus is in the dialog. A held key does not, because the key press that opened the
 * dialog may go on. Actions that destroy something are not main buttons: they need their own key press.
 */
function enterSubmits(event: KeyboardEvent<HTMLDialogElement>): void {
  const { key, repeat, nativeEvent, target, currentTarget } = event;
  if (key !== 'Enter' || repeat || nativeEvent.isComposing || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!(target instanceof HTMLElement) || target.closest(USES_ENTER) !== null) return;
  const main = currentTarget.querySelector<HTMLElement>(
    `[data-actions] :is(.${buttons.primary}, button[type=submit]):not(:disabled)`,
  );
  if (main === null) return;
  // The browser would submit the form as well.
  event.preventDefault();
  main.click();
}

/**
 * The browser's own modal dialog: focus stays inside, Escape closes, and the page behind is inert. The focus starts at the first field, or at the title if
 * there is none, because the first tab stop is the close button, which does not describe the dialog. Fields in an element with `data-aside` do not count.
 */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  wide = false,
  side = false,
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
    standOn(
      dialog.querySelector(':is(input, select, textarea):not([hidden], [data-aside] *)') ??
        dialog.querySelector('h2'),
    );
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
      {actions !== undefined && (
        <div data-actions className={styles.foot}>
          {actions}
        </div>
      )}
    </>
  );
  return (
    <dialog
      ref={box}
      aria-labelledby={titleId}
      aria-describedby={question ? `${titleId}-body` : undefined}
      className={`${styles.dialog} ${wide ? styles.wide : ''} ${side ? styles.side : ''}`}
      onClose={onClose}
      onKeyDown={enterSubmits}
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
