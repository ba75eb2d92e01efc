import { z } from 'zod';
import { freeText, label, listOf, self, timestamp } from '../contract.ts';
import { sequenceIds } from '../people/contract.ts';
import { mapping } from './mapping.ts';

export const JOB_STATUSES = ['Queued', 'Processing', 'Completed', 'Failed'] as const;
export const jobStatus = z.enum(JOB_STATUSES);
export type JobStatus = z.infer<typeof jobStatus>;

export const importBody = z.object({
  csv_text: z.string().min(1).nullish(),
  upload_id: freeText(200).nullish(),
  mappings: z.array(mapping).min(1).max(250),
  new_tag_name: label(200).nullish(),
  existing_tag_ids: z.array(z.string()).max(100).nullish(),
  sequence_ids: sequenceIds.nullish(),
  dry_run: z.boolean().nullish(),
});
export type ImportBody = z.infer<typeof importBody>;

export const importSummary = z.object({
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
});

export type ImportSummary = z.infer<typeof importSummary>;
export const importList = listOf(importSummary);
export type ImportList = z.infer<typeof importList>;

export const importJob = importSummary.extend({
  error_message: z.string().nullable(),
  failed_rows_url: z.string().nullable(),
});
