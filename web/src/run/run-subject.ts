import { useEditor } from '../editor/editor-store.ts';
import type { Project, RowsReading } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { type RunStage, type RunSubject, useRun } from './run-store.ts';

/** Returns the inputs of a run started now, or null while there is no project or there are no rows. */
export function subjectNow(): RunSubject | null {
  const { project, rowsReading } = useEditor.getState();
  const { rowsFile } = useWork.getState();
  if (project === null || rowsFile === null) return null;
  const { id, name, source, layout, assets } = project;
  const { file, fileName } = rowsFile;
  return {
    projectId: id,
    projectName: name,
    source,
    layout,
    assets,
    rows: file,
    rowsName: fileName,
    reading: rowsReading,
  };
}

/** Values are replaced when they change, so comparing object identity is enough. */
function isMadeFrom(
  subject: RunSubject,
  project: Project | null,
  rows: Blob | undefined,
  reading: RowsReading,
): boolean {
  return (
    subject.projectId === project?.id &&
    subject.source === project.source &&
    subject.layout === project.layout &&
    subject.assets === project.assets &&
    subject.rows === rows &&
    subject.reading === reading
  );
}

export interface EarlierRun {
  readonly subject: RunSubject;
  readonly stage: Extract<RunStage, { at: 'running' | 'settled' }>;
}

/** The run of the current inputs. A run of another project, layout or rows file is an earlier run, never its result. */
export function useShownRun(): { readonly stage: RunStage; readonly earlier: EarlierRun | null } {
  const { stage, subject } = useRun();
  const project = useEditor((editor) => editor.project);
  const reading = useEditor((editor) => editor.rowsReading);
  const rows = useWork((work) => work.rowsFile?.file);
  if (subject === null || isMadeFrom(subject, project, rows, reading)) return { stage, earlier: null };
  const followed = stage.at === 'running' || stage.at === 'settled';
  return { stage: { at: 'choosing' }, earlier: followed ? { subject, stage } : null };
}
