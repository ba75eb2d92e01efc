import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ProjectView } from '#bulkfill/operator-contract.ts';
import { Banner, EmptyState } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { DeletedDialog } from './deleted-dialog.tsx';
import { listProjects } from './library-api.ts';
import styles from './library-screen.module.css';
import { ORDERS, type Order, orderProjects } from './order-projects.ts';
import { deleteWithUndo, duplicate } from './project-actions.ts';
import { ProjectCard } from './project-card.tsx';
import { RenameDialog } from './rename-dialog.tsx';

type Loaded = readonly ProjectView[] | Error | null;
const ORDER_KEY = 'rowpress.library-order';
/** Cards beyond these are shown on request, because each one loads a picture. */
const FIRST_SHOWN = 60;

/** The projects of an account on the server, as cards with a picture of the first page. */
export function Library({
  account,
  onLoaded,
}: {
  account: string;
  /** Called with the ids of the projects on the server. */
  onLoaded: (ids: ReadonlySet<string>) => void;
}) {
  const { loaded, refresh } = useProjects(account);
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>(rememberedOrder);
  const [shown, setShown] = useState(FIRST_SHOWN);
  const [renamed, setRenamed] = useState<ProjectView | null>(null);
  const [showsDeleted, setShowsDeleted] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports each list once
  useEffect(() => {
    if (Array.isArray(loaded)) onLoaded(new Set(loaded.map(({ project_id }) => project_id)));
  }, [loaded]);
  const run = (action: Promise<unknown>) => void action.then(refresh, tellError);
  const projects = Array.isArray(loaded) ? (loaded as readonly ProjectView[]) : [];
  const found = orderProjects(projects, search, order);
  return (
    <section aria-labelledby="library" className={styles.library}>
      <div className={styles.head}>
        <h2 id="library">
          Projects {projects.length > 0 && <span className={styles.count}>{projects.length}</span>}
        </h2>
        {projects.length > 0 && (
          <div className={styles.tools}>
            <label className={styles.search}>
              <Search size={15} aria-hidden="true" />
              <input
                type="search"
                aria-label="Search projects"
                placeholder="Name or column"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
            </label>
            <select
              aria-label="Sort projects"
              className={styles.order}
              value={order}
              onChange={(event) => {
                const wanted = event.target.value as Order;
                localStorage.setItem(ORDER_KEY, wanted);
                setOrder(wanted);
              }}
            >
              {Object.entries(ORDERS).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      {loaded === null && <Waiting label="Loading projects" />}
      {loaded instanceof Error && (
        <Banner
          tone="bad"
          title="The projects could not be loaded"
          action={<Button onClick={refresh}>Try again</Button>}
        >
          {loaded.message}
        </Banner>
      )}
      {Array.isArray(loaded) && projects.length === 0 && (
        <EmptyState title={`No projects in ${account}`}>
          Open a PDF above, place fields and press Save. Saved projects appear here, for everyone who works
          with this account.
        </EmptyState>
      )}
      {projects.length > 0 && found.length === 0 && (
        <EmptyState
          title="No project matches"
          action={<Button onClick={() => setSearch('')}>Clear the search</Button>}
        >
          No name and no column contains “{search.trim()}”.
        </EmptyState>
      )}
      <p role="status" className="visually-hidden">
        {search.trim() === '' ? '' : `${found.length} of ${projects.length} projects`}
      </p>
      <ul className={styles.grid}>
        {found.slice(0, shown).map((project) => (
          <ProjectCard
            key={project.project_id}
            account={account}
            project={project}
            onRename={() => setRenamed(project)}
            onDuplicate={() => run(duplicate({ account, id: project.project_id }))}
            onDelete={() => run(deleteWithUndo({ account, id: project.project_id }, project.name, refresh))}
          />
        ))}
      </ul>
      <div className={styles.foot}>
        {found.length > shown && (
          <Button onClick={() => setShown(found.length)}>Show all {found.length} projects</Button>
        )}
        {Array.isArray(loaded) && (
          <Button look="quiet" onClick={() => setShowsDeleted(true)}>
            Recently deleted
          </Button>
        )}
      </div>
      {renamed !== null && (
        <RenameDialog
          account={account}
          project={renamed}
          onClose={() => setRenamed(null)}
          onRenamed={refresh}
        />
      )}
      {showsDeleted && (
        <DeletedDialog account={account} onClose={() => setShowsDeleted(false)} onRestored={refresh} />
      )}
    </section>
  );
}

function useProjects(account: string): { loaded: Loaded; refresh: () => void } {
  const [loaded, setLoaded] = useState<{ account: string; list: Loaded }>({ account, list: null });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` loads again
  useEffect(() => {
    const gone = new AbortController();
    listProjects(account, gone.signal).then(
      (list) => !gone.signal.aborted && setLoaded({ account, list }),
      (error: unknown) => {
        if (!gone.signal.aborted) setLoaded({ account, list: asError(error) });
      },
    );
    return () => gone.abort();
  }, [account, turn]);
  return {
    loaded: loaded.account === account ? loaded.list : null,
    refresh: () => setTurn((now) => now + 1),
  };
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

function rememberedOrder(): Order {
  const kept = localStorage.getItem(ORDER_KEY);
  return kept !== null && kept in ORDERS ? (kept as Order) : 'saved';
}
