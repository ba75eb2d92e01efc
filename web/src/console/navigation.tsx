import {
  Activity,
  ArrowLeftRight,
  BookOpen,
  Building2,
  ChartColumn,
  ChevronDown,
  FingerprintPattern,
  Inbox,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Users,
  Webhook,
} from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Link } from '../shell/link.tsx';
import { useSession } from '../shell/session.ts';
import styles from './navigation.module.css';
import { screens } from './screens.ts';

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
}

/** Screens by purpose: work, access, operation. */
const GROUPS: readonly { readonly name: string; readonly entries: readonly Entry[] }[] = [
  {
    name: 'Work',
    entries: [
      { path: 'jobs', name: 'Jobs', icon: ListChecks },
      { path: 'transfers', name: 'Imports & exports', icon: ArrowLeftRight },
      { path: 'ingest', name: 'Ingest', icon: Inbox },
      { path: 'deliveries', name: 'Webhooks', icon: Webhook },
      { path: 'request-keys', name: 'Idempotency', icon: FingerprintPattern },
    ],
  },
  {
    name: 'Access',
    entries: [
      { path: 'keys', name: 'Keys', icon: KeyRound },
      { path: 'accounts', name: 'Accounts', icon: Building2 },
      { path: 'operators', name: 'People', icon: Users },
    ],
  },
  {
    name: 'Installation',
    entries: [
      { path: 'usage', name: 'Usage', icon: ChartColumn },
      { path: 'health', name: 'Health', icon: Activity },
      { path: 'reference', name: 'API reference', icon: BookOpen },
    ],
  },
];

/** The list of screens on the left. In a narrow window, a button with the name of the screen opens it. */
export function Navigation({ current }: { current: string }) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const may = useSession((session) => session.may);
  const groups = GROUPS.map((group) => ({
    ...group,
    entries: group.entries.filter(({ path }) => may.includes(screens[path]?.need ?? 'self')),
  })).filter(({ entries }) => entries.length > 0);
  const here = GROUPS.flatMap(({ entries }) => entries).find(({ path }) => path === current);
  const Icon = here?.icon ?? ListChecks;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <nav
      aria-label="Console"
      className={styles.nav}
      onKeyDown={onKey}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Closes the list when Tab leaves it, because it would cover the focused element.
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon size={16} aria-hidden="true" />
        {here?.name ?? 'Console'}
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div id={id} className={styles.list} data-open={open}>
        {groups.map((group) => (
          <div key={group.name}>
            <p className={styles.groupName} aria-hidden="true">
              {group.name}
            </p>
            <ul aria-label={group.name}>
              {group.entries.map((entry) => (
                <li key={entry.path}>
                  <Link
                    to={`/console/${entry.path}`}
                    className={styles.entry}
                    aria-current={entry.path === current ? 'page' : undefined}
                    onClick={() => setOpen(false)}
                  >
                    <entry.icon size={16} aria-hidden="true" />
                    {entry.name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
