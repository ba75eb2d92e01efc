import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import styles from './button.module.css';

type Look = 'plain' | 'primary' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  readonly icon?: ReactNode;
  /** The button is busy or has nothing to do. Unlike a disabled button, it keeps the focus. */
  readonly resting?: boolean;
}

const refuse = (event: MouseEvent) => event.preventDefault();

export function Button({
  look = 'plain',
  icon,
  resting = false,
  children,
  className = '',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={resting || undefined}
      onClick={resting ? refuse : onClick}
      className={`${styles.button} ${styles[look] ?? ''} ${className}`}
    >
      {icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Read by screen readers and shown as a tooltip, because an icon alone is not clear enough. */
  readonly label: string;
  /** The shortcut in the tooltip: `Ctrl+Z`. */
  readonly shortcut?: string;
  readonly pressed?: boolean;
  /** As with `Button`. */
  readonly resting?: boolean;
}

export function IconButton({
  label,
  shortcut,
  pressed,
  resting = false,
  children,
  className = '',
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={resting || undefined}
      onClick={resting ? refuse : onClick}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      className={`${styles.button} ${styles.icon} ${className}`}
    >
      {children}
    </button>
  );
}
