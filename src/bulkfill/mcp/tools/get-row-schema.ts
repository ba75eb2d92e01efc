import { z } from 'zod';
import { readJson } from '../api.ts';
import { findProject, projectInput } from '../projects.ts';
import { defineTool, reads } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const COLUMNS_PER_PAGE = 100;

interface RowSchema extends Record<string, unknown> {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

export const getRowSchema = defineTool({
  name: 'get_row_schema',
  title: 'Get the row schema of a project',
  description: `Get the JSON Schema of one row of a project: the names, formats and examples of its values. Read it before you write rows. More than ${COLUMNS_PER_PAGE} columns come in pages: pass next_cursor as cursor.`,
  annotations: reads,
  input: z.strictObject({
    project: projectInput,
    cursor: z.string().max(20).optional().describe('The next_cursor of the page before'),
  }),
  run: async (context, { project: text, cursor = '0' }) => {
    if (!/^\d{1,9}$/.test(cursor))
      throw new ToolFailure('INVALID_FIELD', 'cursor must be a next_cursor from an earlier page.');
    const project = await findProject(context, text);
    const { project_id, name, version, page_count } = project;
    const schema = await readJson<RowSchema>(context, `/projects/${project_id}/row-schema`, { version });
    const all = Object.entries(schema.properties);
    const from = Number(cursor);
    const page = Object.fromEntries(all.slice(from, from + COLUMNS_PER_PAGE));
    const next = from + COLUMNS_PER_PAGE;
    return {
      data: {
        project_id,
        name,
        version,
        page_count,
        column_count: all.length,
        row_schema: {
          ...schema,
          properties: page,
          required: schema.required.filter((column) => Object.hasOwn(page, column)),
        },
        next_cursor: next < all.length ? String(next) : null,
      },
    };
  },
});
