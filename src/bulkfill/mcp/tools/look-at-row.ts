import { z } from 'zod';
import { read, type ToolContext } from '../api.ts';
import { createOnce, INNER_WAIT_SECONDS, jobIdInput, jobPath, jobView, readProblems } from '../jobs.ts';
import { findProject, pinned, projectInput } from '../projects.ts';
import { type Row, rowInput } from '../rows.ts';
import { addsOnce, defineTool, type ToolResult } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const MAX_PICTURE_BYTES = 700_000;
const MIN_WIDTH = 200;
const MAX_PROBLEMS = 20;

export const lookAtRow = defineTool({
  name: 'look_at_row',
  title: 'Look at the document of one row',
  description:
    'Get a page of the document of one row as a PNG image: a row of a completed job (job_id and row_number), or a row that you have not run yet (project and row). A row that was not run is filled as a job of its own, which counts as one row of the quota; looking at it again is free.',
  annotations: addsOnce,
  input: z.strictObject({
    job_id: jobIdInput.optional(),
    row_number: z.int().min(1).max(9_999_999).optional().describe('Counts from 1'),
    project: projectInput.optional(),
    row: rowInput.optional(),
    page: z.int().min(1).max(100_000).default(1),
    width: z.int().min(MIN_WIDTH).max(1200).default(700).describe('Width of the image in pixels'),
  }),
  run: async (context, { job_id, row_number, project, row, page, width }) => {
    const view = { page, width };
    if (job_id !== undefined && row_number !== undefined && project === undefined && row === undefined)
      return picture(context, { jobId: job_id, rowNumber: row_number }, view);
    if (project !== undefined && row !== undefined && job_id === undefined && row_number === undefined)
      return newPicture(context, { project, row }, view);
    throw new ToolFailure('INVALID_FIELD', 'Pass job_id and row_number, or project and row.');
  },
});

interface View {
  readonly page: number;
  readonly width: number;
}

/** The API has no preview, so the row becomes a job with one row. */
async function newPicture(
  context: ToolContext,
  { project: text, row }: { readonly project: string; readonly row: Row },
  view: View,
): Promise<ToolResult> {
  const project = await findProject(context, text);
  const options = { max_failed_row_percent: 100 };
  const { job } = await createOnce(
    context,
    { project: pinned(project), rows: [row], options },
    INNER_WAIT_SECONDS,
  );
  if (job.status !== 'completed')
    return {
      data: { ...jobView(job), next: 'Call look_at_row with job_id and row_number 1 when it is completed.' },
    };
  const { problems } = await readProblems(context, job.job_id, { limit: MAX_PROBLEMS });
  if (problems.some((problem) => 'status' in problem && problem.status === 'failed'))
    return { data: { job_id: job.job_id, status: 'The row failed and has no document.', problems } };
  const { data, ...shown } = await picture(context, { jobId: job.job_id, rowNumber: 1 }, view);
  return { data: { ...data, version: project.version, problems }, ...shown };
}

async function picture(
  context: ToolContext,
  { jobId, rowNumber }: { readonly jobId: string; readonly rowNumber: number },
  { page, width }: View,
): Promise<ToolResult> {
  const response = await read(context, `${jobPath(jobId)}/rows/${rowNumber}.png`, { page, width });
  const png = new Uint8Array(await response.arrayBuffer());
  const smaller = Math.max(MIN_WIDTH, Math.floor(width * 0.6));
  if (png.length > MAX_PICTURE_BYTES && smaller < width)
    return picture(context, { jobId, rowNumber }, { page, width: smaller });
  return { data: { job_id: jobId, row_number: rowNumber, page, width }, png };
}
