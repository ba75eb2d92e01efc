import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { type RunStage, type RunSubject, useRun } from './run-store.ts';

/** Returns the inputs of a run started now, or null while there is no project or there are no rows. */
export function subjectNow(): RunSubject | null {
  const { project, rowsReading } = useEditor.getState();
  const { rowsFile, pictures, run } = useWork.getState();
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
    pictures,
    choices: run,
  };
}

/** Values are replaced when they change, so comparing object identity is enough. */
function isMadeFrom(subject: RunSubject, now: RunSubject | null): boolean {
  return (
    now !== null &&
    subject.projectId === now.projectId &&
    subject.source === now.source &&
    subject.layout === now.layout &&
    subject.assets === now.assets &&
    subject.rows === now.rows &&
    subject.reading === now.reading &&
    subject.pictures === now.pictures
  );
}

/** The stage of the run of the current inputs. A run of another project, layout or rows file is never shown as their result. */
export function shownStage(): RunStage {
  const { stage, subject } = useRun.getState();
  return subject === null || isMadeFrom(subject, subjectNow()) ? stage : { at: 'idle' };
}

export function useShownStage(): RunStage {
  useRun();
  useEditor((editor) => editor.project);
  useEditor((editor) => editor.rowsReading);
  useWork((work) => work.rowsFile?.file);
  useWork((work) => work.pictures);
  return shownStage();
}

/** Whether the run was made with the current options too, so that running again would give the same job. */
export const hasSameOptions = (): boolean => useRun.getState().subject?.choices === useWork.getState().run;
