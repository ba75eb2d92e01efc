import { type FormEvent, useEffect, useState } from 'react';
import type { FoundRequestKeys } from '#console/contract/request-keys.ts';
import { callJson } from '../../api/operator-client.ts';
import { EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useQuery } from '../parts/use-query.ts';
import { ConflictTable } from './conflict-table.tsx';
import { KeyCard } from './key-card.tsx';
import styles from './request-keys-screen.module.css';

/** The idempotency inspector: explains the response to a retry. */
export function RequestKeysScreen() {
  const [{ key, account }, setQuery] = useQuery(['key', 'account']);
  const [typed, setTyped] = useState(key);
  useEffect(() => setTyped(key), [key]);
  const inspect = (event: FormEvent) => {
    event.preventDefault();
    setQuery('key', typed.trim());
  };
  return (
    <Page
      title="Idempotency"
      lead="Paste an Idempotency-Key or a correlation id to see its job or response, when it expires, and how rejected requests differed."
    >
      <form className={styles.form} onSubmit={inspect}>
        <div className={styles.field}>
          <TextField
            hideLabel
            label="Request key"
            placeholder="order-2026-11-16-0001"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" look="primary" disabled={typed.trim() === ''}>
          Inspect
        </Button>
      </form>
      {key === '' ? <HowItWorks /> : <Found key={key} requestKey={key} account={account} />}
    </Page>
  );
}

function Found({ requestKey, account }: { requestKey: string; account: string }) {
  const loaded = useLoaded(`${requestKey} ${account}`, (signal) =>
    callJson<FoundRequestKeys>('/request-keys', { query: { key: requestKey, account }, signal }),
  );
  return (
    <Resource of={loaded} name="The key">
      {({ items, conflicts }) => (
        <>
          {items.length === 0 && (
            <EmptyState title="No request found for this key">
              The key was never used, or it has expired. The next request with this key is a new request.
            </EmptyState>
          )}
          {items.map((item) => (
            <KeyCard
              key={`${item.scope} ${item.account}`}
              item={item}
              differing={differingParts(conflicts, item.account, item.surface)}
            />
          ))}
          {conflicts.length > 0 && <ConflictTable conflicts={conflicts} />}
        </>
      )}
    </Resource>
  );
}

/** Parts in which a rejected request differed. */
function differingParts(
  conflicts: FoundRequestKeys['conflicts'],
  account: string,
  surface: string,
): ReadonlySet<string> {
  const of = conflicts.filter((conflict) => conflict.account === account && conflict.surface === surface);
  return new Set(of.flatMap(({ differs_in }) => differs_in));
}

function HowItWorks() {
  return (
    <EmptyState title="One key, one effect">
      The first request with a key takes effect, and every repetition gets the same response. A request with
      the same key and another body is rejected with 409; this page shows which part differs.
    </EmptyState>
  );
}
