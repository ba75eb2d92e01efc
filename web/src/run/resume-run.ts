import type { JobDetail } from '#console/contract/jobs.ts';
import { callJson } from '../api/operator-client.ts';
import { useEditor } from '../editor/editor-store.ts';
import { fileDigest } from '../files/file-digest.ts';
import { useWork } from '../project/work-store.ts';
import { followJob, settle } from './follow-job.ts';
import { projectDigest } from './request-key.ts';
import { jobOf } from './run-history.ts';
import { beginRun, showStage, useRun } from './run-store.ts';
import { subjectNow } from './run-subject.ts';

/**
 * Follows the latest run of the project again, for example after a reload, if its job was open and the screen shows the inputs
 * it was made from.
 */
export async function resumeRun(): Promise<void> {
  const { project } = useEditor.getState();
  const { runs, rowsFile, request } = useWork.getState();
  const subject = subjectNow();
  const [latest] = runs;
  if (project === null || rowsFile === null || subject === null) return;
  if (latest === undefined || latest.result !== null) return;
  const isFollowed = () => useRun.getState().subject?.projectId === project.id;
  if (isFollowed() || projectDigest(project) !== latest.layout.sha256) return;
  const [sha256, { state }] = await Promise.all([
    fileDigest(rowsFile.file),
    callJson<JobDetail>(`/jobs/${latest.jobId}`),
  ]);
  // A run was started meanwhile.
  if (sha256 !== latest.file.sha256 || isFollowed()) return;
  beginRun(subject);
  const job = { ...jobOf(latest), requestKey: request?.key ?? null };
  if (state === 'queued' || state === 'processing') return followJob(job);
  showStage({ at: 'running', job });
  await settle(job);
}
