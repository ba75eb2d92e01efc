import type { ExportJob } from '#bulkfill/contract.ts';
import { callJson } from '../api/operator-client.ts';
import { ServerRefusal } from '../api/server-refusal.ts';
import { maxColumns } from '../api/server-settings.ts';
import { columnName } from '../core/overlays/value-words.ts';
import { patchedCells } from '../core/rows/cell-patches.ts';
import { startsAtFirstRow } from '../core/runs/row-ranges.ts';
import type { RunOptions } from '../core/runs/run-record.ts';
import type { PictureSet } from '../data/pictures/picture-set.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { XLSX_TYPE } from '../engine/rows/xlsx-type.ts';
import { fileDigest } from '../files/file-digest.ts';
import type { Project, RowsInfo } from '../project/project.ts';
import { pdfPart, sealProject } from '../saving/seal-package.ts';
import { followJob, settle } from './follow-job.ts';
import { outputFields } from './output-fields.ts';
import { forgetRequestKey, projectDigest, requestKeyFor } from './request-key.ts';
import { isDuplex, MAX_NAME_COLUMNS, type RunChoices, sheetOf } from './run-choices.ts';
import { keepRun } from './run-history.ts';
import { beginRun, type RunningJob, type RunOrder, type RunStage, showStage } from './run-store.ts';
import { subjectNow } from './run-subject.ts';

/** Seals if necessary, sends source, package and rows to the public create route on behalf of the account, and follows the job. */
export async function startRun(order: RunOrder): Promise<void> {
  const { project, rows } = useEditor.getState();
  const subject = subjectNow();
  if (project === null || rows === null || subject === null) return;
  const { account, choices, retryOf } = order;
  const isLatest = beginRun(subject);
  const show = (stage: RunStage) => {
    if (isLatest()) showStage(stage);
  };
  let key: string | null = null;
  try {
    show({ at: 'sending', label: 'Sealing the project' });
    const numbered = await addsRowNumbers(order, rows);
    // Read now: the rows may be replaced while the project is sealed.
    const [sent, sealed, fileSha256, pictures] = await Promise.all([
      engine.rowsToSend(order.rows, numbered),
      sealProject(project),
      fileDigest(subject.rows),
      subject.pictures === null ? null : zipOf(subject.pictures),
    ]);
    if (!sealed.ok) return show({ at: 'blocked', problems: sealed.problems });
    show({ at: 'sending', label: 'Sending the PDF and the rows' });
    const names = numbered
      ? [`column_${rows.columnCount}`, ...choices.filenameColumns]
      : choices.filenameColumns;
    key = requestKeyFor({ account, project, rows: sent.sha256, pictures: pictures?.sha256, choices });
    const form = runForm({ ...choices, filenameColumns: names });
    form.set('pdf', pdfPart(project.source), project.source.fileName);
    form.set('doqlo_file', sealed.bytes, 'project.doqlo');
    if (sent.file.type === XLSX_TYPE) form.set('rows_file', sent.file, 'rows.xlsx');
    else form.set('csv_file', sent.file, 'rows.csv');
    if (pictures !== null) form.set('assets_file', pictures.file, 'pictures.zip');
    const created = await callJson<ExportJob>('/acting/bulkfill/export-jobs', {
      method: 'POST',
      account,
      form,
      // The job is followed in the background, so nothing is awaited here.
      headers: { 'idempotency-key': key, prefer: 'wait=0' },
    });
    if (useEditor.getState().project?.id === project.id)
      keepRun({
        jobId: created.job_id,
        account,
        startedAt: Date.now(),
        projectName: project.name,
        layout: { sha256: projectDigest(project) },
        file: {
          name: subject.rowsName,
          sha256: fileSha256,
          rowCount: rows.rowCount,
          corrections: patchedCells(subject.reading.patches).length,
        },
        rows: order.rows,
        ...(choices.groupBy.length > 0 && { documents: order.documents }),
        sentSha256: sent.sha256,
        retryOf,
        options: optionsOf(project, choices),
        result: null,
      });
    if (!isLatest()) return;
    const job: RunningJob = {
      id: created.job_id,
      account,
      total: order.documents,
      isGrouped: choices.groupBy.length > 0,
      done: 0,
      failed: 0,
      rows: order.rows,
      rowsName: subject.rowsName,
      retryOf,
      requestKey: key,
      since: null,
      rowsPerSecond: null,
    };
    if (created.status === 'completed' || created.status === 'failed')
      await settle({ ...job, done: job.total });
    else followJob(job);
  } catch (error) {
    if (error instanceof ServerRefusal && error.code === 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH') {
      forgetRequestKey(key);
      return show({ at: 'changed', order, code: error.code, requestId: error.requestId ?? null });
    }
    show(refusedStage(error));
  }
}

export function refusedStage(error: unknown): RunStage {
  const told =
    error instanceof ServerRefusal
      ? { code: error.code, requestId: error.requestId ?? null }
      : { code: null, requestId: null };
  return { at: 'refused', message: error instanceof Error ? error.message : String(error), ...told };
}

/**
 * Whether the file names get the number of the row in the file: a job counts its rows from 1, so in a run of some rows
 * `row_1` may be row 7 of the file. Not if there is no room for another name part or another column.
 */
async function addsRowNumbers({ rows, choices }: RunOrder, { columnCount }: RowsInfo): Promise<boolean> {
  if (startsAtFirstRow(rows) || choices.filenameColumns.length >= MAX_NAME_COLUMNS) return false;
  return columnCount < (await maxColumns());
}

function runForm(choices: RunChoices): FormData {
  const form = new FormData();
  form.set('max_failed_row_percent', String(choices.maxFailedRowPercent));
  form.set('include_stickers', String(choices.includeStickers));
  form.set('flatten_forms', String(choices.flattenForms));
  for (const [name, value] of outputFields(choices)) form.set(name, value);
  if (choices.filenameColumns.length > 0)
    form.set('filename_columns', JSON.stringify(choices.filenameColumns));
  if (choices.webhook !== null) {
    form.set('delivery_mode', 'webhook');
    form.set('webhook_url', choices.webhook.url);
    form.set('webhook_secret', choices.webhook.secret);
  }
  return form;
}

function optionsOf({ layout }: Project, choices: RunChoices): RunOptions {
  const { flattenForms, includeStickers, filenameColumns, maxFailedRowPercent, webhook } = choices;
  const { output, passwordColumn, groupBy } = choices;
  const named = (key: string) => ({ key, name: columnName(layout, key) });
  return {
    flattenForms,
    includeStickers,
    filenameColumns: filenameColumns.map(named),
    maxFailedRowPercent,
    webhookUrl: webhook?.url ?? null,
    output,
    sheet: sheetOf(choices) ?? undefined,
    ...(isDuplex(choices) && { duplex: true }),
    groupBy: groupBy.length === 0 ? undefined : groupBy.map(named),
    passwordColumn: passwordColumn === null ? undefined : named(passwordColumn),
  };
}

async function zipOf(pictures: PictureSet): Promise<{ file: Blob; sha256: string }> {
  return (await import('../data/pictures/pictures-zip.ts')).picturesZip(pictures);
}
