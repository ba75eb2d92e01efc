import { create } from 'zustand';
import type { Layout } from '#fill/package/layout-schema.ts';
import { emptyHistory, type History, record, redo, rewrite, undo } from '../core/history.ts';
import { differInPatchesOnly } from '../core/rows/cell-patches.ts';
import type { Project, RowsInfo, RowsReading, RowsState } from '../project/project.ts';
import { say } from '../ui/messages.tsx';

/**
 * The open project and the state of the editor. Every change of the layout goes through `change`, so that it has a name and
 * can be undone; a gesture in progress previews through `draft` and becomes one entry when it ends.
 */
export type Unit = 'pt' | 'mm' | 'in';
export type Panel = 'fields' | 'data' | 'preview';

export interface EditorState {
  readonly project: Project | null;
  /** The displayed layout: the committed one, or the preview of a gesture in progress. */
  readonly layout: Layout | null;
  readonly history: History<Layout, RowsState>;
  /** Ids of overlays and form fields. */
  readonly selection: readonly string[];
  /** From 1. */
  readonly page: number;
  readonly panel: Panel;
  readonly unit: Unit;
  readonly rows: RowsInfo | null;
  readonly rowsReading: RowsReading;
  /** The row whose values the fields show, from 1. */
  readonly previewRow: number;
  /** That row's cells, positional. */
  readonly previewCells: readonly string[];
  /** The last layout that was saved as a package; any other layout is unsaved work. */
  readonly savedLayout: Layout | null;
  /** The project's name in that package. */
  readonly savedName: string | null;
  /** Counts how often a project was opened, including the same one again. */
  readonly openings: number;

  open(project: Project): void;
  close(): void;
  change(label: string, update: (layout: Layout) => Layout, selection?: readonly string[]): void;
  /** Changes the layout and every layout that undo can restore, without an entry of its own. */
  amend(update: (layout: Layout) => Layout): void;
  draft(layout: Layout | null): void;
  undo(): void;
  redo(): void;
  select(ids: readonly string[]): void;
  showPage(page: number): void;
  showPanel(panel: Panel): void;
  setUnit(unit: Unit): void;
  setRows(rows: RowsInfo | null, reading: RowsReading): void;
  /** Replaces the rows and what they change in the layout as one entry, so that undo restores both. */
  replaceRows(label: string, before: RowsState, after: RowsState, update: (layout: Layout) => Layout): void;
  showRow(row: number, cells: readonly string[]): void;
  rename(name: string): void;
  addAsset(name: string, bytes: Uint8Array): void;
  markSaved(): void;
}

const CLOSED = {
  project: null,
  layout: null,
  history: emptyHistory<Layout, RowsState>(),
  selection: [],
  page: 1,
  panel: 'fields',
  rows: null,
  rowsReading: { delimiter: null, encoding: null, header: true, columns: null },
  previewRow: 1,
  previewCells: [],
  savedLayout: null,
  savedName: null,
} as const satisfies Partial<EditorState>;

type RowsListener = (rows: RowsState, isSameRow: boolean) => void;
let bringBackRows: RowsListener = () => {};
/**
 * Called when undo or redo restores other rows. The store holds their facts; the engine must open the file. If only
 * corrections differ, the shown row stays.
 */
export function whenRowsReturn(listener: RowsListener): void {
  bringBackRows = listener;
}

export const useEditor = create<EditorState>((set, get) => {
  /** Sets the committed layout. */
  const place = (layout: Layout, rest: Partial<EditorState>) => {
    const { project } = get();
    if (project === null) throw new Error('bug: a layout was changed while no project is open');
    set({ project: { ...project, layout }, layout, ...rest });
  };
  const existing = (layout: Layout, ids: readonly string[]) => {
    const known = new Set([...layout.overlays, ...layout.form_fields].map(({ id }) => id));
    return ids.filter((id) => known.has(id));
  };
  const shownRows = ({ rows, reading }: RowsState, isSameRow: boolean) => ({
    rows,
    rowsReading: reading,
    ...(!isSameRow && { previewRow: 1, previewCells: [] }),
  });
  const haveSameRows = (a: RowsState, b: RowsState) =>
    a.file?.file === b.file?.file && differInPatchesOnly(a.reading, b.reading);
  /** One step of undo or redo. */
  const goTo = (
    layout: Layout,
    history: History<Layout, RowsState>,
    rows: RowsState | undefined,
    left: RowsState | undefined,
  ) => {
    const selection = existing(layout, get().selection);
    const isSameRow = rows !== undefined && left !== undefined && haveSameRows(rows, left);
    place(layout, { history, selection, ...(rows !== undefined && shownRows(rows, isSameRow)) });
    if (rows !== undefined) bringBackRows(rows, isSameRow);
  };
  return {
    ...CLOSED,
    unit: 'pt',
    openings: 0,
    open: (project) => set({ ...CLOSED, project, layout: project.layout, openings: get().openings + 1 }),
    close: () => set(CLOSED),
    change: (label, update, selection) => {
      const { project, history } = get();
      if (project === null) return;
      const before = project.layout;
      const after = update(before);
      if (after === before) {
        set({ layout: before });
        return;
      }
      place(after, {
        history: record(history, { label, before, after }),
        selection: existing(after, selection ?? get().selection),
      });
      say(label);
    },
    amend: (update) => {
      const { project, history } = get();
      if (project === null) return;
      // One object per layout, because a check of the rows compares layouts by identity.
      const amended = new Map<Layout, Layout>();
      const once = (layout: Layout): Layout => {
        const known = amended.get(layout) ?? update(layout);
        amended.set(layout, known);
        return known;
      };
      place(once(project.layout), { history: rewrite(history, once) });
    },
    draft: (layout) => set({ layout: layout ?? get().project?.layout ?? null }),
    undo: () => {
      const step = undo(get().history);
      if (step === null) return;
      const { before, companion } = step.entry;
      goTo(before, step.history, companion?.before, companion?.after);
      say(`Undone: ${step.entry.label}`);
    },
    redo: () => {
      const step = redo(get().history);
      if (step === null) return;
      const { after, companion } = step.entry;
      goTo(after, step.history, companion?.after, companion?.before);
      say(`Redone: ${step.entry.label}`);
    },
    select: (selection) => set({ selection }),
    showPage: (page) => set({ page }),
    showPanel: (panel) => set({ panel }),
    setUnit: (unit) => set({ unit }),
    setRows: (rows, rowsReading) => set({ rows, rowsReading, previewRow: 1, previewCells: [] }),
    replaceRows: (label, before, after, update) => {
      const { project, history, selection } = get();
      if (project === null) return;
      const layout = update(project.layout);
      const entry = { label, before: project.layout, after: layout, companion: { before, after } };
      place(layout, {
        history: record(history, entry),
        selection: existing(layout, selection),
        ...shownRows(after, haveSameRows(before, after)),
      });
      say(label);
    },
    showRow: (previewRow, previewCells) => set({ previewRow, previewCells }),
    rename: (name) => {
      const { project } = get();
      if (project !== null) set({ project: { ...project, name } });
    },
    addAsset: (name, bytes) => {
      const { project } = get();
      if (project !== null)
        set({ project: { ...project, assets: new Map([...project.assets, [name, bytes]]) } });
    },
    markSaved: () => {
      const { project } = get();
      set({ savedLayout: project?.layout ?? null, savedName: project?.name ?? null });
    },
  };
});
