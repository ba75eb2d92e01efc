import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the foot; the last one is the main one. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
}

/** The browser's own modal dialog: focus stays inside, Escape closes, and the page behind is inert. */
export function Dialog({ title, onClose, children, actions, wide = false }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby={titleId}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      onClose={onClose}
    >
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <IconButton label="Close" onClick={() => box.current?.close()}>
          <X size={16} />
        </IconButton>
      </div>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <div className={styles.foot}>{actions}</div>}
    </dialog>
  );
}
