import type { SearchHit } from '#console/contract/search.ts';
import { Badge } from '../../ui/badge.tsx';
import styles from './global-search.module.css';

const NAMES: Readonly<Record<SearchHit['type'], string>> = {
  job: 'Job',
  delivery: 'Webhook',
  request_key: 'Idempotency',
  key: 'Key',
  account: 'Account',
};

export function HitList({
  id,
  shown,
  hits,
  marked,
  onChoose,
}: {
  id: string;
  shown: boolean;
  hits: readonly SearchHit[];
  marked: number;
  onChoose: (hit: SearchHit) => void;
}) {
  return (
    <div className={shown ? styles.list : styles.closed}>
      <div id={id} role="listbox" aria-label="Results">
        {hits.map((hit, index) => (
          // The focus stays in the text field; aria-activedescendant marks the active option.
          <div
            key={`${hit.type} ${hit.id}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            className={styles.hit}
            // Runs before the field loses its focus and the list closes.
            onPointerDown={(event) => {
              event.preventDefault();
              onChoose(hit);
            }}
          >
            <span className={styles.hitText}>
              <span>{hit.title}</span>
              <small>{hit.subtitle}</small>
            </span>
            <Badge>{NAMES[hit.type] ?? hit.type}</Badge>
          </div>
        ))}
      </div>
      {hits.length === 0 && (
        <p className={styles.nothing}>
          No match. You can search for a job id (shortened, or at least 4 characters of it), a request id, a
          request key, an error code or message, a key, an account, or a complete event or delivery id.
        </p>
      )}
    </div>
  );
}
