import type { ExportJob } from '#bulkfill/contract.ts';
import { callJson } from '../api/operator-client.ts';
import { ServerRefusal } from '../api/server-refusal.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { XLSX_TYPE } from '../engine/rows/xlsx-type.ts';
import { useWork } from '../project/work-store.ts';
import { pdfPart, sealProject } from '../saving/seal-package.ts';
import { followJob, settle } from './follow-job.ts';
import { forgetRequestKey, requestKeyFor } from './request-key.ts';
import { beginRun, type RunningJob, type RunStage, showStage } from './run-store.ts';
import { subjectNow } from './run-subject.ts';

/** Seals if necessary, sends source, package and rows to the public create route on behalf of the account, and follows the job. */
export async function startRun(account: string): Promise<void> {
  const { project, rows } = useEditor.getState();
  const { run: choices } = useWork.getState();
  const subject = subjectNow();
  if (project === null || rows === null || subject === null) return;
  const { from, to } = choices.range ?? { from: 1, to: rows.rowCount };
  const isLatest = beginRun(subject);
  const show = (stage: RunStage) => {
    if (isLatest()) showStage(stage);
  };
  try {
    show({ at: 'sending', label: 'Sealing the project' });
    // Read now: the rows may be replaced while the project is sealed.
    const [sent, sealed] = await Promise.all([engine.rowsToSend(from, to), sealProject(project)]);
    if (!sealed.ok) return show({ at: 'blocked', problems: sealed.problems });
    show({ at: 'sending', label: 'Sending the PDF and the rows' });
    const key = requestKeyFor({ account, project, rows: sent.sha256, choices });
    const form = new FormData();
    form.set('pdf', pdfPart(project.source), project.source.fileName);
    form.set('doqlo_file', sealed.bytes, 'project.doqlo');
    if (sent.file.type === XLSX_TYPE) form.set('rows_file', sent.file, 'rows.xlsx');
    else form.set('csv_file', sent.file, 'rows.csv');
    form.set('max_failed_row_percent', String(choices.maxFailedRowPercent));
    form.set('include_stickers', String(choices.includeStickers));
    form.set('flatten_forms', String(choices.flattenForms));
    if (choices.filenameColumns.length > 0)
      form.set('filename_columns', JSON.stringify(choices.filenameColumns));
    if (choices.webhook !== null) {
      form.set('delivery_mode', 'webhook');
      form.set('webhook_url', choices.webhook.url);
      form.set('webhook_secret', choices.webhook.secret);
    }
    const created = await callJson<ExportJob>('/acting/bulkfill/export-jobs', {
      method: 'POST',
      account,
      form,
      // The job is followed in the background, so nothing is awaited here.
      headers: { 'idempotency-key': key, prefer: 'wait=0' },
    });
    if (!isLatest()) return;
    const job: RunningJob = {
      id: created.job_id,
      account,
      total: to - from + 1,
      done: 0,
      failed: 0,
      firstRow: from,
      since: null,
      rowsPerSecond: null,
    };
    if (created.status === 'completed' || created.status === 'failed')
      await settle({ ...job, done: job.total });
    else followJob(job);
  } catch (error) {
    if (error instanceof ServerRefusal && error.code === 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH') {
      forgetRequestKey();
      return show({ at: 'changed', code: error.code, requestId: error.requestId ?? null });
    }
    const told =
      error instanceof ServerRefusal
        ? { code: error.code, requestId: error.requestId ?? null }
        : { code: null, requestId: null };
    show({ at: 'refused', message: error instanceof Error ? error.message : String(error), ...told });
  }
}
