import { z } from 'zod';
import { itemOf, listOf, self, timestamp } from '../contract.ts';
import { jobStatus } from '../import/contract.ts';
import { status } from '../people/contract.ts';
import { EXPORT_FORMATS } from './export-input.ts';

export const exportSummary = z.object({
  id: z.string(),
  status: jobStatus,
  exported_count: z.number().int().nullable(),
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  self,
});

export type ExportSummary = z.infer<typeof exportSummary>;
export const exportList = listOf(exportSummary);
export type ExportList = z.infer<typeof exportList>;

export const exportJob = exportSummary.extend({
  selection: z.object({ query: z.string().nullable(), status: status.nullable(), cold_only: z.boolean() }),
  format: z.enum(EXPORT_FORMATS),
  file_name: z.string().nullable(),
  download_url: z.string().nullable(),
  expires_at: timestamp.nullable(),
  error_message: z.string().nullable(),
});
export const exportItem = itemOf(exportJob);
export type ExportItem = z.infer<typeof exportItem>;
