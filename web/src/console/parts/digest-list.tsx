import { Badge } from '../../ui/badge.tsx';
import styles from './digest-list.module.css';

/** The named parts of a request body by their shortened digests: equal digests, equal parts. */
export function DigestList({
  digests,
  differing = new Set(),
}: {
  digests: Readonly<Record<string, string>>;
  /** Parts in which a rejected request differed. They come first. */
  differing?: ReadonlySet<string>;
}) {
  const names = Object.keys(digests).sort((a, b) => Number(differing.has(b)) - Number(differing.has(a)));
  return (
    <ul className={styles.list}>
      {names.map((name) => (
        <li key={name}>
          <span>{name}</span>
          <code>{digests[name]}</code>
          {differing.has(name) && <Badge tone="bad">differs in a refused request</Badge>}
        </li>
      ))}
    </ul>
  );
}
