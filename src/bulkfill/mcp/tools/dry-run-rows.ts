import { z } from 'zod';
import { readJson, type ToolContext } from '../api.ts';
import { createOnce, INNER_WAIT_SECONDS, jobPath, jobView, readProblems } from '../jobs.ts';
import { findProject, pinned, projectInput } from '../projects.ts';
import { rowsInput } from '../rows.ts';
import { cutText } from '../small-results.ts';
import { addsOnce, defineTool } from '../tool.ts';

const MAX_WARNINGS = 10;

export const dryRunRows = defineTool({
  name: 'dry_run_rows',
  title: 'Check rows without making documents',
  description:
    'Fill the rows of a project and report the problems, without making documents and at no cost. Use it before run_rows and correct the rows it names. A partial row would lose a field; a failed row would have no document.',
  annotations: addsOnce,
  input: z.strictObject({
    project: projectInput,
    rows: rowsInput,
    max_problems: z.int().min(0).max(100).default(20).describe('Problems to return at most'),
  }),
  run: async (context, { project: text, rows, max_problems }) => {
    const project = await findProject(context, text);
    // With this threshold, failed rows do not fail the job, which would end it early and count towards a cooldown.
    const options = { dry_run: true, max_failed_row_percent: 100 };
    const request = { project: pinned(project), rows, options };
    const { job } = await createOnce(context, request, INNER_WAIT_SECONDS);
    const head = { project_id: project.project_id, version: project.version, rows: rows.length };
    if (job.status !== 'completed')
      return { data: { ...head, ...jobView(job), next: 'Call get_job_status, then get_problem_rows.' } };
    const found = await problemsOf(context, job.job_id, max_problems);
    return { data: { ...head, job_id: job.job_id, ...(await summaryOf(context, job.job_id)), ...found } };
  },
});

interface Manifest {
  readonly summary: Readonly<Record<'success_rows' | 'partial_rows' | 'failed_rows', number>>;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

async function summaryOf(context: ToolContext, jobId: string) {
  const { summary, warnings } = await readJson<Manifest>(context, `${jobPath(jobId)}/manifest`);
  const { success_rows, partial_rows, failed_rows } = summary;
  const shown = warnings
    .slice(0, MAX_WARNINGS)
    .map(({ code, message }) => ({ code, message: cutText(message) }));
  return { success_rows, partial_rows, failed_rows, ...(shown.length > 0 && { warnings: shown }) };
}

async function problemsOf(context: ToolContext, jobId: string, limit: number) {
  if (limit === 0) return {};
  const { problems, next_cursor } = await readProblems(context, jobId, { limit });
  return { problems, ...(next_cursor !== null && { next_cursor, next: 'Call get_problem_rows for more.' }) };
}
