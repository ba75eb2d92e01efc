import { z } from 'zod';
import type { ProjectView } from '#bulkfill/projects/contract.ts';
import { readJson } from '../api.ts';
import { defineTool, reads } from '../tool.ts';

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'List the projects of this account, newest first. A project is a PDF with a layout that says where the values of a row go. Pass next_cursor as cursor for the next page.',
  annotations: reads,
  input: z.strictObject({
    cursor: z.string().max(200).optional().describe('The next_cursor of the page before'),
    limit: z.int().min(1).max(50).default(20),
  }),
  run: async (context, query) => {
    const page = await readJson<{ data: ProjectView[]; next_cursor: string | null }>(
      context,
      '/projects',
      query,
    );
    const projects = page.data.map(({ columns, created_at: _, ...project }) => ({
      ...project,
      column_count: columns.length,
    }));
    return { data: { projects, next_cursor: page.next_cursor } };
  },
});
