import { z } from 'zod';
import { createJob, createOnce, jobView, waitInput } from '../jobs.ts';
import { findProject, pinned, projectInput } from '../projects.ts';
import { rowsInput } from '../rows.ts';
import { addsOnce, defineTool } from '../tool.ts';

export const runRows = defineTool({
  name: 'run_rows',
  title: 'Make one document per row',
  description:
    'Fill a project with rows and make one PDF per row. The rows count towards the quota of the account. The result has an idempotency_key: a call with the same key and rows returns the same job, so a call that timed out can be repeated. Without a key, the key follows from the project and the rows. Pass another key only to run the same rows again.',
  annotations: addsOnce,
  input: z.strictObject({
    project: projectInput,
    rows: rowsInput,
    idempotency_key: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{1,128}$/)
      .optional()
      .describe('Identifies this run for 24 hours'),
    max_failed_row_percent: z
      .int()
      .min(0)
      .max(100)
      .default(0)
      .describe('The job fails when more rows than this fail'),
    filename_columns: z
      .array(z.string().max(200))
      .max(3)
      .optional()
      .describe('Columns whose values are added to the file names'),
    flatten_forms: z
      .boolean()
      .default(false)
      .describe('Whether to turn form fields into page content, so that they cannot be edited'),
    wait_seconds: waitInput('Time to wait for the documents', 20),
  }),
  run: async (context, { project: text, rows, idempotency_key, wait_seconds, ...given }) => {
    const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (idempotency_key !== undefined) {
      // The API decides under the key which version of the project was meant first.
      const job = await createJob(context, { project: text, rows, options }, idempotency_key, wait_seconds);
      return { data: { ...jobView(job), rows: rows.length, idempotency_key, next: nextStep[job.status] } };
    }
    const project = await findProject(context, text);
    const { job, key } = await createOnce(context, { project: pinned(project), rows, options }, wait_seconds);
    return {
      data: {
        ...jobView(job),
        project_id: project.project_id,
        version: project.version,
        rows: rows.length,
        idempotency_key: key,
        next: nextStep[job.status],
      },
    };
  },
});

const nextStep = {
  queued: 'Call get_job_status.',
  processing: 'Call get_job_status.',
  completed: 'Call get_download_links, and get_problem_rows to see whether a row has a problem.',
  failed: 'Call get_problem_rows.',
} as const;
