import { FileText, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { removeDraft } from '../drafts/draft-guard.ts';
import { type DraftSummary, listDrafts } from '../drafts/drafts.ts';
import { useEditor } from '../editor/editor-store.ts';
import { isLibraryId } from '../library/library-api.ts';
import { Link } from '../shell/link.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { say, tellError } from '../ui/messages.tsx';
import { useObjectUrl } from '../ui/use-object-url.ts';
import styles from './recent-projects.module.css';

/** Drafts of this browser, newest first. */
export function RecentProjects({
  title = 'Recent projects',
  without = NONE,
}: {
  title?: string;
  /** Projects that are shown elsewhere; null until they are known. */
  without?: ReadonlySet<string> | null;
}) {
  const [all, setDrafts] = useState<readonly DraftSummary[]>([]);
  const drafts = all.filter(({ id }) => (without === null ? !isLibraryId(id) : !without.has(id)));
  const [doomed, setDoomed] = useState<DraftSummary | null>(null);
  const refresh = () => listDrafts().then(setDrafts, tellError);
  useEffect(() => {
    void listDrafts().then(setDrafts, tellError);
  }, []);
  if (drafts.length === 0) return null;
  const remove = async (draft: DraftSummary) => {
    if (useEditor.getState().project?.id === draft.id) useEditor.getState().close();
    await removeDraft(draft.id);
    setDoomed(null);
    say(`${draft.name} deleted`);
    await refresh();
  };
  return (
    <section aria-labelledby="recent" className={styles.recent}>
      <h2 id="recent">{title}</h2>
      <ul className={styles.grid}>
        {drafts.map((draft) => (
          <DraftCard key={draft.id} draft={draft} onDelete={() => setDoomed(draft)} />
        ))}
      </ul>
      {doomed !== null && (
        <Dialog
          question
          title={`Delete ${doomed.name}?`}
          onClose={() => setDoomed(null)}
          actions={
            <>
              <Button onClick={() => setDoomed(null)}>Keep project</Button>
              <Button look="danger" onClick={() => void remove(doomed).catch(tellError)}>
                Delete
              </Button>
            </>
          }
        >
          <p>
            This deletes the draft, its PDF and its rows from this browser. Packages that you saved stay where
            you put them.
          </p>
        </Dialog>
      )}
    </section>
  );
}

const NONE: ReadonlySet<string> = new Set();

function DraftCard({ draft, onDelete }: { draft: DraftSummary; onDelete: () => void }) {
  const picture = useObjectUrl(draft.thumbnail);
  const { id, name, pageCount, fieldCount, rowsFileName, changedAt } = draft;
  return (
    <li className={styles.card}>
      <Link to={`/editor/${id}`} className={styles.open}>
        <span className={styles.page}>
          {picture === null ? <FileText size={28} /> : <img src={picture} alt="" />}
        </span>
        <span className={styles.name}>{name}</span>
        <span className={styles.facts}>
          {count(pageCount, 'page')} · {count(fieldCount, 'field')}
          {rowsFileName !== null && ' · with rows'}
        </span>
        <span className={styles.facts}>{whenWords(changedAt)}</span>
      </Link>
      <span className={styles.delete}>
        <IconButton label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 size={15} />
        </IconButton>
      </span>
    </li>
  );
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const whenWords = (time: number) => moments.format(time);
