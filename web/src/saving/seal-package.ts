import { call } from '../api/operator-client.ts';
import { type EditorState, useEditor } from '../editor/editor-store.ts';
import { engine, type LayoutProblem } from '../engine/engine-client.ts';
import type { Project } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';

export type Sealed =
  | { readonly ok: true; readonly bytes: Blob }
  | { readonly ok: false; readonly problems: readonly LayoutProblem[] };

/** Checks here first, to show the failing field; then the server checks again and seals. */
export async function sealProject(project: Project): Promise<Sealed> {
  const { layout, assets, source, name } = project;
  const { sealed, run } = useWork.getState();
  const isSame = sealed?.layout === layout && sealed.assets === assets && sealed.source === source;
  if (isSame && sealed.name === name) return { ok: true, bytes: sealed.bytes };
  const options = {
    includeStickers: run.includeStickers,
    flattenForms: run.flattenForms,
    filenameColumns: [],
  };
  const problems = await engine.checkLayout({ source: source.bytes, layout, assets, options });
  if (problems.length > 0) return { ok: false, problems };

  const form = new FormData();
  form.set('layout', JSON.stringify({ ...layout, name: name.slice(0, 200) }));
  form.set('pdf', pdfPart(source), source.fileName);
  for (const [asset, bytes] of assets) form.set(asset, new Blob([bytes as Uint8Array<ArrayBuffer>]), asset);
  const answer = await call('/packages', { method: 'POST', form });
  const bytes = await answer.blob();
  useWork.setState({ sealed: { name, layout, assets, source, bytes } });
  return { ok: true, bytes };
}

export const pdfPart = (source: Project['source']) =>
  new Blob([source.bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' });

/** Whether there are changes that the last saved package does not contain. */
export const isUnsaved = ({ project, savedLayout, savedName }: EditorState): boolean =>
  project !== null && (project.layout !== savedLayout || (savedName !== null && savedName !== project.name));

export const useUnsaved = (): boolean => useEditor(isUnsaved);
