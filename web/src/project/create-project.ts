import { compareSource } from '#fill/package/compare-source.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import { saveDraft, saveDraftRows, saveDraftSource } from '../drafts/drafts.ts';
import { newId } from '../drafts/new-id.ts';
import { type EngineRefusal, engine } from '../engine/engine-client.ts';
import { DEFAULT_RUN } from '../run/run-choices.ts';
import { go } from '../shell/router.ts';
import { emptyLayout, type Project, type RowsFile, type Source } from './project.ts';

/** Reads a file as a source, or returns why it is not one. */
export async function readSource(
  file: Blob,
  fileName: string,
): Promise<{ ok: true; source: Source } | EngineRefusal> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const opened = await engine.openSource(bytes);
  if (!opened.ok) return opened;
  return { ok: true, source: { fileName, bytes, metadata: opened.metadata, pages: opened.pages } };
}

export interface NewProject {
  readonly name: string;
  readonly source: Source;
  readonly layout?: Layout;
  readonly assets?: Project['assets'];
  readonly rows?: RowsFile;
  /** The layout came from a saved package, so there is nothing unsaved yet. */
  readonly saved?: boolean;
}

/** Stores a draft of the project and opens it in the editor. */
export async function createProject({
  name,
  source,
  layout,
  assets = new Map(),
  rows,
  saved = false,
}: NewProject): Promise<void> {
  const id = newId();
  const started = layout ?? emptyLayout(name);
  await saveDraftSource(id, source);
  if (rows !== undefined) await saveDraftRows(id, rows);
  await saveDraft(
    id,
    {
      name,
      layout: started,
      savedLayout: saved ? started : null,
      savedName: saved ? name : null,
      assets,
      // Differences from the PDF that the package was created for. A new project has none.
      differences:
        started.source === undefined
          ? []
          : compareSource(started.source, source.metadata, started.form_fields),
      rowsReading: { delimiter: null, encoding: null, header: true, columns: null, unbound: true },
      previewRow: 1,
      request: null,
      run: DEFAULT_RUN,
    },
    { pageCount: source.metadata.page_count, rowsFileName: rows?.fileName ?? null, thumbnail: null },
  );
  go(`/editor/${id}`);
}

export const stemOf = (fileName: string): string => fileName.replace(/\.[^.]+$/, '') || fileName;
