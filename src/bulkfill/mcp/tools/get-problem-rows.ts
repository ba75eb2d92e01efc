import { z } from 'zod';
import { jobIdInput, readProblems } from '../jobs.ts';
import { defineTool, reads } from '../tool.ts';

export const getProblemRows = defineTool({
  name: 'get_problem_rows',
  title: 'List the problem rows of a job',
  description:
    'List the rows of a finished job that failed, lost a field (partial) or have a note (noted), with the code, the reason and the column. Pass next_cursor as cursor for the next page.',
  annotations: reads,
  input: z.strictObject({
    job_id: jobIdInput,
    status: z.enum(['failed', 'partial', 'noted']).optional(),
    cursor: z.string().max(200).optional().describe('The next_cursor of the page before'),
    limit: z.int().min(1).max(100).default(25),
  }),
  run: async (context, { job_id, ...query }) => ({
    data: { job_id, ...(await readProblems(context, job_id, query)) },
  }),
});
