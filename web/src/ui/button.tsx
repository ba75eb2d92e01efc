import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

type Look = 'plain' | 'primary' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  readonly icon?: ReactNode;
}

export function Button({ look = 'plain', icon, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={`${styles.button} ${styles[look]} ${className}`}>
      {icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Said by screen readers and shown as a tip; an icon alone tells nobody enough. */
  readonly label: string;
  /** For the tip: `Ctrl+Z`. */
  readonly shortcut?: string;
  readonly pressed?: boolean;
}

export function IconButton({ label, shortcut, pressed, children, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      className={`${styles.button} ${styles.icon} ${className}`}
    >
      {children}
    </button>
  );
}
