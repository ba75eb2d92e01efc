import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { AccountChoice } from './account-choice.tsx';
import { AccountMenu } from './account-menu.tsx';
import styles from './header.module.css';
import { Link } from './link.tsx';
import { usePlace } from './router.ts';
import { SkipLinks } from './skip-links.tsx';
import { type Theme, useTheme } from './theme.ts';

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/**
 * The bar on top of every screen; `children` is the screen's own content in the middle. If that is large, it gets its own
 * line in a narrow window.
 */
export function Header({ children, wideMiddle = false }: { children?: ReactNode; wideMiddle?: boolean }) {
  const { segments } = usePlace();
  const inConsole = segments[0] === 'console';
  return (
    <header className={wideMiddle ? `${styles.bar} ${styles.wide}` : styles.bar}>
      <SkipLinks />
      <Link to="/" className={styles.brand} aria-label="Rowpress start page">
        <Mark />
        <span className={styles.name}>Rowpress</span>
      </Link>
      <nav aria-label="Areas" className={styles.areas}>
        <Link to="/" aria-current={inConsole ? undefined : 'page'}>
          Editor
        </Link>
        <Link to="/console/jobs" aria-current={inConsole ? 'page' : undefined}>
          Console
        </Link>
      </nav>
      <div className={styles.middle}>{children}</div>
      {!inConsole && <AccountChoice />}
      <ThemeButton />
      <AccountMenu />
    </header>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">
      <rect width="16" height="16" rx="3.5" fill="var(--accent)" />
      <path d="M4 5h8M4 8h8M4 11h5" stroke="var(--accent-ink)" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  );
}

function ThemeButton() {
  const { theme, setTheme } = useTheme();
  const icons = { system: <Monitor size={16} />, light: <Sun size={16} />, dark: <Moon size={16} /> };
  return (
    <IconButton label={`Colours: ${theme}. Change`} onClick={() => setTheme(NEXT_THEME[theme])}>
      {icons[theme]}
    </IconButton>
  );
}
