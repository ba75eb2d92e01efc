import type { Layout } from '#fill/package/layout-schema.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import type { RunChoices } from './run-choices.ts';

/** Whether a table would show one row in each document, because no column says which rows belong together. */
export const isUngrouped = (layout: Layout, { groupBy }: Pick<RunChoices, 'groupBy'>): boolean =>
  groupBy.length === 0 && layout.overlays.some(({ type }) => type === 'table');

export function useIsUngrouped(): boolean {
  const layout = useEditor((editor) => editor.project?.layout);
  const run = useWork((work) => work.run);
  return layout !== undefined && isUngrouped(layout, run);
}
