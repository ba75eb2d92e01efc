import { z } from 'zod';
import type { ExportJob } from '#bulkfill/contract.ts';
import { readJson } from '../api.ts';
import { jobIdInput, jobPath, jobView, waitInput } from '../jobs.ts';
import { readProgress } from '../progress.ts';
import { defineTool, reads } from '../tool.ts';

export const getJobStatus = defineTool({
  name: 'get_job_status',
  title: 'Get the status of a job',
  description:
    'Get the status of a job (queued, processing, completed or failed) and how many of its rows are done and failed. Use wait_seconds instead of asking again and again.',
  annotations: reads,
  input: z.strictObject({
    job_id: jobIdInput,
    wait_seconds: waitInput('Time to wait until the job has ended', 0),
  }),
  run: async (context, { job_id, wait_seconds }) => {
    const progress = await readProgress(context, job_id, wait_seconds);
    const job = await readJson<ExportJob>(context, jobPath(job_id));
    const { rows_total, rows_done, rows_failed } = progress ?? {};
    return { data: { ...jobView(job), rows_total, rows_done, rows_failed } };
  },
});
