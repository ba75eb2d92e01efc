import { callJson, ServerRefusal } from '../api/operator-client.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { XLSX_TYPE } from '../engine/rows/xlsx-type.ts';
import { pdfPart, sealProject } from '../files/seal-package.ts';
import { useWork } from '../files/work-store.ts';
import { followJob, settle } from './follow-job.ts';
import { requestKeyFor } from './request-key.ts';
import { type RunningJob, showStage } from './run-store.ts';

interface ExportJob {
  readonly job_id: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
}

/** Seals if need be, sends source, package and rows to the public create route on behalf of the account, and follows the job. */
export async function startRun(account: string): Promise<void> {
  const { project, rows, rowsReading } = useEditor.getState();
  const { run: choices, rowsFile } = useWork.getState();
  if (project === null || rows === null || rowsFile === null) return;
  const { from, to } = choices.range ?? { from: 1, to: rows.rowCount };
  try {
    showStage({ at: 'sending', label: 'Sealing the project' });
    const sealed = await sealProject(project);
    if (!sealed.ok) return showStage({ at: 'blocked', problems: sealed.problems });
    showStage({ at: 'sending', label: 'Sending the PDF and the rows' });
    const key = requestKeyFor({
      account,
      project,
      rowsFile: { fileName: rowsFile.fileName, size: rowsFile.file.size },
      reading: rowsReading,
      choices,
    });
    const form = new FormData();
    form.set('pdf', pdfPart(project.source), project.source.fileName);
    form.set('doqlo_file', sealed.bytes, 'project.doqlo');
    const sent = await engine.rowsAsCsv(from, to);
    if (sent.type === XLSX_TYPE) form.set('rows_file', sent, 'rows.xlsx');
    else form.set('csv_file', sent, 'rows.csv');
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
      // The progress is followed, so there is nothing to wait for here.
      headers: { 'idempotency-key': key, prefer: 'wait=0' },
    });
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
    const told =
      error instanceof ServerRefusal
        ? { code: error.code, requestId: error.requestId ?? null }
        : { code: null, requestId: null };
    showStage({ at: 'refused', message: error instanceof Error ? error.message : String(error), ...told });
  }
}
