import { useEffect, useState } from 'react';
import type { DeletedProjects } from '#bulkfill/operator-contract.ts';
import { EmptyState } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from '../ui/line-list.module.css';
import { tell, tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { listDeleted, restoreProject } from './library-api.ts';

/** Deleted projects that can still be restored. */
export function DeletedDialog({
  account,
  onClose,
  onRestored,
}: {
  account: string;
  onClose: () => void;
  onRestored: () => void;
}) {
  const [deleted, setDeleted] = useState<DeletedProjects['data'] | null>(null);
  useEffect(() => {
    listDeleted(account).then(({ data }) => setDeleted(data), tellError);
  }, [account]);
  const restore = async (id: string) => {
    const { name } = await restoreProject({ account, id });
    setDeleted((list) => list?.filter(({ project_id }) => project_id !== id) ?? null);
    tell('good', `Restored ${name}`);
    onRestored();
  };
  return (
    <Dialog title="Recently deleted" onClose={onClose} wide>
      {deleted === null ? (
        <Waiting label="Loading deleted projects" />
      ) : deleted.length === 0 ? (
        <EmptyState title="Nothing to restore">
          A deleted project can be restored for one day, with all its versions.
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {deleted.map(({ project_id: id, name, restorable_until }) => (
            <li key={id} className={styles.line}>
              <span className={styles.text}>
                <strong>{name}</strong> can be restored until {moments.format(Date.parse(restorable_until))}
              </span>
              <Button onClick={() => void restore(id).catch(tellError)} aria-label={`Restore ${name}`}>
                Restore
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
