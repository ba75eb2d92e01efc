import { TriangleAlert } from 'lucide-react';
import { goToOverlay } from '../canvas/commands/go-to-overlay.ts';
import { Badge } from '../ui/badge.tsx';
import styles from './inspector.module.css';
import { Section } from './section.tsx';
import { useWarnings } from './use-warnings.ts';

const SHOWN = 50;

/** Lists the warnings; each links to its field. */
export function WarningsPanel() {
  const warnings = useWarnings();
  if (warnings.length === 0) return null;
  return (
    <Section title="Warnings" aside={<Badge tone="warn">{warnings.length}</Badge>}>
      <ul className={styles.warnings}>
        {warnings.slice(0, SHOWN).map(({ kind, ids, message }) => (
          <li key={`${kind} ${ids.join(' ')}`}>
            <button type="button" onClick={() => goToOverlay(ids[0] ?? '', ids.slice(1))}>
              <TriangleAlert size={14} aria-hidden="true" />
              <span>{message}</span>
            </button>
          </li>
        ))}
      </ul>
      {warnings.length > SHOWN && <p className={styles.note}>and {warnings.length - SHOWN} more</p>}
    </Section>
  );
}
