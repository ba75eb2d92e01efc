import type { Layout } from '#fill/package/layout-schema.ts';
import { useEditor } from '../editor/editor-store.ts';

export interface ColumnChoice {
  readonly key: string;
  /** `Column 1: Carter`, or the label and the value: `Name: Carter`. */
  readonly words: string;
}

const LONGEST = 48;

/** The available columns: declared ones, those of the rows file, and those that a field already uses. */
export function columnChoices(
  layout: Layout,
  columnCount: number,
  cells: readonly string[],
  used: readonly string[] = [],
): readonly ColumnChoice[] {
  const keys = new Set([
    ...Array.from({ length: columnCount }, (_, index) => `column_${index}`),
    ...layout.columns.map(({ key }) => key),
    ...used,
  ]);
  const position = (key: string) => Number(key.slice('column_'.length));
  return [...keys]
    .sort((a, b) => position(a) - position(b))
    .map((key) => {
      const label = layout.columns.find((column) => column.key === key)?.label ?? '';
      const cell = cells[position(key)] ?? '';
      const name = label === '' ? `Column ${position(key) + 1}` : label;
      const words = cell === '' ? name : `${name}: ${cell}`;
      return { key, words: words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words };
    });
}

export function useColumnChoices(used: readonly string[] = []): readonly ColumnChoice[] {
  const layout = useEditor((editor) => editor.project?.layout);
  const columnCount = useEditor((editor) => editor.rows?.columnCount ?? 0);
  const cells = useEditor((editor) => editor.previewCells);
  return layout === undefined ? [] : columnChoices(layout, columnCount, cells, used);
}

export function ColumnOptions({ choices }: { choices: readonly ColumnChoice[] }) {
  return choices.map(({ key, words }) => (
    <option key={key} value={key}>
      {words}
    </option>
  ));
}
