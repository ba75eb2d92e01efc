import { z } from 'zod';
import { freeText, itemOf, listOf, self, timestamp } from '../contract.ts';
import { jobStatus } from '../import/contract.ts';
import { status } from '../people/contract.ts';
import { EXPORT_FORMATS } from './export-input.ts';

const ID = '0190a3c4-0000-7000-8000-0000000001e0';
const summaryExample = {
  id: ID,
  status: 'Completed',
  exported_count: 120,
  started_at: '2026-11-17T09:15:01.000Z',
  completed_at: '2026-11-17T09:15:02.000Z',
  created_at: '2026-11-17T09:15:00.000Z',
  updated_at: '2026-11-17T09:15:02.000Z',
  self: `/v1/jobs/subscriber-exports/${ID}`,
};
export const exportBody = z
  .object({
    query: freeText(500).nullish().describe('Part of an email or a name'),
    status: status.nullish(),
    cold_only: z.boolean().nullish().describe('true: only subscribers who have not opened a message lately'),
    format: z.enum(EXPORT_FORMATS).nullish().describe('csv if absent'),
  })
  .meta({ id: 'CreateSubscriberExport', examples: [{ status: 'Active', format: 'csv' }] })
  .nullish();

export const exportSummary = z
  .object({
    id: z.string(),
    status: jobStatus,
    exported_count: z.number().int().nullable(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    self,
  })
  .meta({
    id: 'SubscriberExportSummary',
    description: 'An export of subscribers without its file',
    examples: [summaryExample],
  });

export type ExportSummary = z.infer<typeof exportSummary>;
export const exportList = listOf(exportSummary);
export type ExportList = z.infer<typeof exportList>;

export const exportJob = exportSummary
  .extend({
    selection: z.object({ query: z.string().nullable(), status: status.nullable(), cold_only: z.boolean() }),
    format: z.enum(EXPORT_FORMATS),
    file_name: z.string().nullable(),
    download_url: z
      .string()
      .nullable()
      .describe('A link that needs no key; null before the end and after expiry'),
    expires_at: timestamp.nullable(),
    error_message: z.string().nullable(),
  })
  .meta({
    id: 'SubscriberExport',
    description: 'An export of subscribers',
    examples: [
      {
        ...summaryExample,
        selection: { query: null, status: 'Active', cold_only: false },
        format: 'csv',
        file_name: 'subscribers-2026-11-17.csv',
        download_url: `https://rowpress.example.com/v1/downloads/${ID}/s3cr3t/subscribers-2026-11-17.csv`,
        expires_at: '2026-11-17T10:15:02.000Z',
        error_message: null,
      },
    ],
  });
export const exportItem = itemOf(exportJob);
export type ExportItem = z.infer<typeof exportItem>;
