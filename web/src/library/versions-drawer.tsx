import { useEffect, useState } from 'react';
import type { SavedVersion } from '#bulkfill/operator-contract.ts';
import { openDraft } from '../drafts/open-draft.ts';
import type { LibraryLink } from '../project/project.ts';
import { useUnsaved } from '../saving/seal-package.ts';
import { Badge, Banner } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { listVersions, type ProjectPlace, restoreVersion } from './library-api.ts';
import { storeVersion } from './load-version.ts';
import { discardServerDraft } from './server-draft.ts';
import { type Compared, VersionChanges } from './version-changes.tsx';
import { authorWords, momentWords } from './version-words.ts';
import styles from './versions-drawer.module.css';

/** The versions of the open project: who saved them, what changed, and how to return to one. */
export function VersionsDrawer({
  id,
  library,
  onClose,
}: {
  id: string;
  library: LibraryLink;
  onClose: () => void;
}) {
  const place = { account: library.account, id };
  const { versions, more } = useVersions(place);
  const [shown, setShown] = useState<Compared | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const unsaved = useUnsaved();
  const latest = versions?.[0]?.version ?? library.version;
  const restore = async (version: number) => {
    setBusy(true);
    try {
      const saved = await restoreVersion(place, version, latest);
      await storeVersion(place, saved);
      await discardServerDraft(place);
      await openDraft(id);
      tell('good', `Version ${version} restored as version ${saved.version}`);
      onClose();
    } finally {
      setBusy(false);
    }
  };
  const press = (version: number) => {
    if (unsaved) setAsked(version);
    else void restore(version).catch(tellError);
  };
  return (
    <Dialog title="Versions" onClose={onClose} side>
      {asked !== null && (
        <Banner
          tone="warn"
          title="There are unsaved changes"
          action={
            <Button onClick={() => void restore(asked).catch(tellError)}>
              Restore version {asked} anyway
            </Button>
          }
        >
          Restoring version {asked} discards them. Save first to keep them as a version.
        </Banner>
      )}
      {versions === null ? (
        <Waiting label="Loading the versions" />
      ) : (
        <ol className={styles.list}>
          {versions.map((version) => (
            <Version
              key={version.version}
              version={version}
              isLatest={version.version === latest}
              isOpen={version.version === library.version}
              isBusy={busy}
              shown={shown?.version === version.version ? shown : null}
              place={place}
              onCompare={(to) =>
                setShown((now) =>
                  now?.version === version.version && now.with === to
                    ? null
                    : { version: version.version, with: to },
                )
              }
              onRestore={() => press(version.version)}
            />
          ))}
        </ol>
      )}
      {more !== null && <Button onClick={more}>Show older versions</Button>}
    </Dialog>
  );
}

function Version({
  version,
  isLatest,
  isOpen,
  isBusy,
  shown,
  place,
  onCompare,
  onRestore,
}: {
  version: SavedVersion;
  isLatest: boolean;
  isOpen: boolean;
  isBusy: boolean;
  shown: Compared | null;
  place: ProjectPlace;
  onCompare: (to: Compared['with']) => void;
  onRestore: () => void;
}) {
  const { version: number, saved_by, updated_at } = version;
  return (
    <li className={styles.entry} aria-label={`Version ${number}`}>
      <div className={styles.head}>
        <strong>Version {number}</strong>
        {isLatest && <Badge tone="accent">latest</Badge>}
        {isOpen && <Badge>open</Badge>}
      </div>
      <p className={styles.facts}>
        {momentWords(updated_at)}, by {authorWords(saved_by)}
      </p>
      <div className={styles.actions}>
        {number > 1 && (
          <Button look="quiet" aria-expanded={shown?.with === 'before'} onClick={() => onCompare('before')}>
            What changed
          </Button>
        )}
        <Button look="quiet" aria-expanded={shown?.with === 'screen'} onClick={() => onCompare('screen')}>
          Compare with the screen
        </Button>
        {!isLatest && (
          <Button onClick={onRestore} resting={isBusy}>
            Restore
          </Button>
        )}
      </div>
      {shown !== null && <VersionChanges place={place} compared={shown} />}
    </li>
  );
}

function useVersions({ account, id }: ProjectPlace) {
  const [versions, setVersions] = useState<readonly SavedVersion[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const load = async (after: string | null) => {
    const page = await listVersions({ account, id }, after, 50);
    setVersions((now) => [...(after === null ? [] : (now ?? [])), ...page.data]);
    setCursor(page.next_cursor);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once for each project
  useEffect(() => {
    load(null).catch(tellError);
  }, [account, id]);
  return { versions, more: cursor === null ? null : () => void load(cursor).catch(tellError) };
}
