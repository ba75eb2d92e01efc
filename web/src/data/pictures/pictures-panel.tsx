import { Images, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useEditor } from '../../editor/editor-store.ts';
import { engine, type PictureUse } from '../../engine/engine-client.ts';
import { picked } from '../../files/dropped-files.ts';
import { FileButton } from '../../files/file-button.tsx';
import { useWork } from '../../project/work-store.ts';
import { Banner } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { tellError } from '../../ui/messages.tsx';
import { showRow } from '../show-row.ts';
import { MAX_KEPT_BYTES, type PictureSet } from './picture-set.ts';
import styles from './pictures-panel.module.css';
import { removePictures, takePictures } from './take-pictures.ts';

/** The pictures that cells name: a folder or a ZIP, how many of them are used, and which names are missing. */
export function PicturesPanel() {
  const pictures = useWork((work) => work.pictures);
  const use = usePictureUse(pictures);
  const take = (files: readonly File[]) => void takePictures(files.map(picked)).catch(tellError);
  return (
    <section className={styles.panel} aria-labelledby="pictures">
      <div className={styles.head}>
        <h3 id="pictures">Pictures</h3>
        {pictures !== null && (
          <IconButton label="Remove the pictures" onClick={removePictures}>
            <Trash2 size={15} />
          </IconButton>
        )}
      </div>
      {pictures === null ? (
        <p className={styles.hint}>
          Drop a folder or a ZIP of pictures (PNG, JPEG). A cell of a picture field names a file.
        </p>
      ) : (
        <p className={styles.facts}>
          <strong title={pictures.name}>{pictures.name}</strong>
          <span>{factsWords(pictures, use)}</span>
        </p>
      )}
      {pictures !== null && pictures.bytes > MAX_KEPT_BYTES && (
        <Banner tone="warn" title="Not kept in this browser">
          The pictures are larger than {MAX_KEPT_BYTES / 1_000_000} MB. Choose them again after a reload.
        </Banner>
      )}
      {use !== null && use.missingCount > 0 && <Missing use={use} />}
      <div className={styles.actions}>
        <FolderButton onFiles={take} />
        <FileButton label="Choose a ZIP" accept=".zip,application/zip" look="quiet" onFiles={take} />
      </div>
    </section>
  );
}

function factsWords({ files }: PictureSet, use: PictureUse | null): string {
  const count = `${files.size.toLocaleString()} ${files.size === 1 ? 'file' : 'files'}`;
  if (use === null) return count;
  const unused = files.size - use.used;
  return [
    count,
    ...(unused > 0 ? [`${unused.toLocaleString()} not used`] : []),
    ...(use.missingCount > 0 ? [`${use.missingCount.toLocaleString()} missing`] : []),
  ].join(', ');
}

const LISTED = 20;

function Missing({ use }: { use: PictureUse }) {
  const further = use.missingCount - LISTED;
  return (
    <details className={styles.missing}>
      <summary>
        {use.missingCount === 1
          ? '1 name has no picture'
          : `${use.missingCount.toLocaleString()} names have no picture`}
      </summary>
      <ul>
        {use.missing.slice(0, LISTED).map(({ name, rows, firstRow }) => (
          <li key={name}>
            <code title={name}>{name}</code>
            <button
              type="button"
              aria-label={`${name}: show row ${firstRow}`}
              onClick={() => void showRow(firstRow).catch(tellError)}
            >
              row {firstRow.toLocaleString()}
              {rows > 1 && ` and ${(rows - 1).toLocaleString()} more`}
            </button>
          </li>
        ))}
      </ul>
      {further > 0 && <p className={styles.hint}>and {further.toLocaleString()} more</p>}
    </details>
  );
}

/** Counted again when the fields, the rows or the pictures change; null until then, or if there is nothing to count. */
function usePictureUse(pictures: PictureSet | null): PictureUse | null {
  const layout = useEditor((editor) => editor.project?.layout);
  const assets = useEditor((editor) => editor.project?.assets);
  const rows = useEditor((editor) => editor.rows);
  const [use, setUse] = useState<PictureUse | null>(null);
  const hasPictureFields =
    layout?.overlays.some(
      ({ type, value }) =>
        (type === 'image' || type === 'signature') && value !== undefined && !('static' in value),
    ) === true;
  useEffect(() => {
    if (layout === undefined || rows === null || !(hasPictureFields || pictures !== null)) {
      setUse(null);
      return;
    }
    let isStale = false;
    engine
      .pictureUse(layout, [...(pictures?.files.keys() ?? [])], [...(assets?.keys() ?? [])])
      .then((found) => {
        if (!isStale) setUse(found);
      }, tellError);
    return () => {
      isStale = true;
    };
  }, [layout, assets, rows, pictures, hasPictureFields]);
  return use;
}

function FolderButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  // React knows no such attribute; the browser then chooses a folder with all its files.
  useEffect(() => input.current?.setAttribute('webkitdirectory', ''), []);
  return (
    <>
      <Button icon={<Images size={15} />} onClick={() => input.current?.click()}>
        Choose a folder
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Choose a folder"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
