import { z } from 'zod';
import { listQuerySchema, pictureQuerySchema } from '../contract.ts';

const PROJECT_ID = '0190a3c4-5d6e-7f80-9123-456789abc000';
const projectExample = {
  project_id: PROJECT_ID,
  name: 'Certificate',
  version: 1,
  page_count: 1,
  columns: [
    { key: 'column_0', label: 'Name' },
    { key: 'column_1', label: 'Number' },
  ],
  created_at: '2026-11-17T09:15:00.000Z',
  updated_at: '2026-11-17T09:15:00.000Z',
};

const timestamp = z.iso.datetime({ precision: 3 });

export const projectSchema = z
  .object({
    project_id: z.uuid(),
    name: z.string().describe('The current name, even if an earlier version is requested'),
    version: z.int().min(1),
    page_count: z.int(),
    columns: z.array(z.object({ key: z.string(), label: z.string() })).describe('The columns of the layout'),
    created_at: timestamp.describe('When the project was created'),
    updated_at: timestamp.describe('When this version was saved'),
  })
  .meta({
    id: 'Project',
    description: 'One version of a project, by default the latest',
    examples: [projectExample],
  });
export type ProjectView = z.infer<typeof projectSchema>;

export const projectListSchema = z
  .object({
    data: z.array(projectSchema),
    next_cursor: z.string().nullable().describe('`cursor` of the next page; null on the last page'),
  })
  .meta({
    id: 'ProjectList',
    description: 'One page of projects or of versions, newest first',
    examples: [{ data: [projectExample], next_cursor: null }],
  });

export const projectParamsSchema = z.object({
  project_id: z.string().meta({ description: 'Id of the project, a UUID', examples: [PROJECT_ID] }),
});

const version = z.coerce
  .number()
  .int()
  .min(1)
  .max(2_147_483_647)
  .optional()
  .describe('By default the latest version');
export const versionQuerySchema = z.object({ version });
export const projectPictureQuerySchema = pictureQuerySchema.extend({ version });
export const projectListQuerySchema = listQuerySchema;
export type ProjectListQuery = z.infer<typeof projectListQuerySchema>;
