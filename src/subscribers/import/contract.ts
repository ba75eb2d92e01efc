import { z } from 'zod';
import { freeText, itemOf, label, listOf, self, timestamp } from '../contract.ts';
import { sequenceIds } from '../people/contract.ts';
import { mapping } from './mapping.ts';

export const JOB_STATUSES = ['Queued', 'Processing', 'Completed', 'Failed'] as const;
export const jobStatus = z
  .enum(JOB_STATUSES)
  .meta({ id: 'JobStatus', description: 'Completed and Failed are final' });
export type JobStatus = z.infer<typeof jobStatus>;

export const importBody = z
  .object({
    csv_text: z
      .string()
      .min(1)
      .nullish()
      .describe('The CSV itself; exactly one of csv_text and upload_id is required'),
    upload_id: freeText(200).nullish().describe('Id of an upload whose file has arrived'),
    mappings: z.array(mapping).min(1).max(250),
    new_tag_name: label(200).nullish().describe('A tag to create and to add to every imported subscriber'),
    existing_tag_ids: z
      .array(z.string())
      .max(100)
      .nullish()
      .describe('Tags to add to every imported subscriber'),
    sequence_ids: sequenceIds.nullish(),
    dry_run: z.boolean().nullish().describe('true: count and report without storing anything'),
  })
  .meta({
    id: 'CreateImportJob',
    examples: [
      {
        csv_text: 'Email,Name\nann@example.com,Ann Lee\n',
        mappings: [
          { csv_column: 'Email', field: { type: 'email' } },
          { csv_column: 'Name', field: { type: 'name' } },
        ],
      },
    ],
  });
export type ImportBody = z.infer<typeof importBody>;

const ID = '0190a3c4-0000-7000-8000-0000000001b0';
export const jobParams = z.object({
  job_id: z.string().meta({ description: 'Id of the job', examples: [ID] }),
});
const summaryExample = {
  id: ID,
  status: 'Completed',
  imported_count: 1,
  row_count: 2,
  created_count: 1,
  updated_count: 0,
  unchanged_count: 0,
  failed_count: 1,
  progress: 1,
  dry_run: false,
  started_at: '2026-11-17T09:15:01.000Z',
  completed_at: '2026-11-17T09:15:02.000Z',
  created_at: '2026-11-17T09:15:00.000Z',
  updated_at: '2026-11-17T09:15:02.000Z',
  self: `/v1/jobs/subscriber-imports/${ID}`,
};
export const importSummary = z
  .object({
    id: z.string(),
    status: jobStatus,
    imported_count: z.number().int().nullable(),
    row_count: z.number().int(),
    created_count: z.number().int(),
    updated_count: z.number().int(),
    unchanged_count: z.number().int(),
    failed_count: z.number().int(),
    progress: z.number().min(0).max(1),
    dry_run: z.boolean(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    self,
  })
  .meta({
    id: 'ImportJobSummary',
    description: 'An import without its errors',
    examples: [summaryExample],
  });

export type ImportSummary = z.infer<typeof importSummary>;
export const importList = listOf(importSummary);
export type ImportList = z.infer<typeof importList>;

export const importJob = importSummary
  .extend({
    error_message: z.string().nullable(),
    failed_rows_url: z.string().nullable().describe('Where to read the failed rows as CSV, if there are any'),
  })
  .meta({
    id: 'ImportJob',
    description: 'An import of subscribers',
    examples: [
      {
        ...summaryExample,
        error_message: null,
        failed_rows_url: `https://rowpress.example.com/v1/jobs/subscriber-imports/${ID}/failed-rows`,
      },
    ],
  });
export const importItem = itemOf(importJob);
