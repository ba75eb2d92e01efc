import {
  Activity,
  ArrowLeftRight,
  BookOpen,
  Building2,
  ChartColumn,
  FingerprintPattern,
  Inbox,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Users,
  Webhook,
} from 'lucide-react';
import { Link } from '../shell/link.tsx';
import styles from './navigation.module.css';

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
}

/** By what a person comes for: what runs, who may, and how it is going. */
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
      { path: 'operators', name: 'Operators', icon: Users },
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

export function Navigation({ current }: { current: string }) {
  return (
    <nav aria-label="Console" className={styles.nav}>
      {GROUPS.map((group) => (
        <div key={group.name} className={styles.group}>
          <p className={styles.groupName}>{group.name}</p>
          <ul>
            {group.entries.map(({ path, name, icon: Icon }) => (
              <li key={path}>
                <Link
                  to={`/console/${path}`}
                  className={styles.entry}
                  aria-current={path === current ? 'page' : undefined}
                >
                  <Icon size={16} aria-hidden="true" />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
