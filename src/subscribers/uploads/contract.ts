import { z } from 'zod';
import { self, timestamp } from '../contract.ts';
import { mapping } from '../import/mapping.ts';

export const upload = z.object({
  id: z.string(),
  status: z.enum(['Pending', 'Ready', 'Queued']),
  upload_url: z.string().nullable().meta({
    description:
      'Only in the response to the create. PUT the file to this URL, or open it in a browser; no key is required.',
  }),
  file_name: z.string().nullable(),
  size_bytes: z.number().int().nullable(),
  headers: z.array(z.string()),
  row_count: z.number().int().nullable(),
  import_job_id: z.string().nullable(),
  proposed_mappings: z.array(mapping),
  expires_at: timestamp,
  uploaded_at: timestamp.nullable(),
  queued_at: timestamp.nullable(),
  self,
});
