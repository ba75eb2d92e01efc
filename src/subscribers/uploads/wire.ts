import { z } from 'zod';
import type { UploadRecord } from '#storage/subscribers/uploads.ts';
import type { Field } from '../fields/field-value.ts';
import { iso, isoOrNull, self, timestamp } from '../http/wire.ts';
import { mapping, proposeMappings } from '../import/mapping.ts';

export const upload = z.object({
  id: z.string(),
  status: z.enum(['Pending', 'Ready', 'Queued']),
  upload_url: z.string().nullable().meta({
    description:
      'Only in the answer to the create. PUT the file there, or open it in a browser; no key is needed.',
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

export function showUpload(
  record: UploadRecord,
  fields: readonly Field[],
  uploadUrl: string | null,
): z.infer<typeof upload> {
  return {
    id: record.id,
    status: record.queued_at !== null ? 'Queued' : record.uploaded_at !== null ? 'Ready' : 'Pending',
    upload_url: uploadUrl,
    file_name: record.file_name,
    size_bytes: record.size_bytes,
    headers: record.headers,
    row_count: record.row_count,
    import_job_id: record.import_job_id,
    proposed_mappings: proposeMappings(record.headers, fields),
    expires_at: iso(record.expires_at),
    uploaded_at: isoOrNull(record.uploaded_at),
    queued_at: isoOrNull(record.queued_at),
    self: `/v1/jobs/subscriber-import-uploads/${record.id}`,
  };
}
